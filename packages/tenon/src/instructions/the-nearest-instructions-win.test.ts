import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { agentsMd, INSTRUCTION_BOUNDS } from './agents-md.js'

const repository = (files: Record<string, string | Uint8Array>) => temporaryFolder({ '.git/HEAD': 'ref', ...files })

test('files stand in the order from the root to the working folder, each with where it comes from', async () => {
  const root = repository({
    'AGENTS.md': 'Use tabs.',
    'app/AGENTS.md': '\uFEFFUse spaces.\r\n',
    'app/web/index.ts': '',
    'other/AGENTS.md': 'Not for you.',
  })
  const { parts, problems } = await agentsMd(join(root, 'app/web'))
  expect(parts).toEqual([
    {
      partId: 'instructions:AGENTS.md',
      kind: 'instructions',
      provenance: { source: 'file', name: 'AGENTS.md', trust: 'vetted' },
      text: 'Instructions of the project, from AGENTS.md. Where they contradict what stands above, these hold.\n\nUse tabs.',
    },
    expect.objectContaining({
      partId: 'instructions:app/AGENTS.md',
      text: expect.stringMatching(/from app\/AGENTS\.md\..*\n\nUse spaces\.$/),
    }),
  ])
  expect(problems).toEqual([])
})

test('without a repository only the working folder counts, and what is missing or empty is nothing', async () => {
  const outer = temporaryFolder({ 'AGENTS.md': 'outer', 'in/AGENTS.md': 'inner', 'empty/AGENTS.md': ' \n' })
  expect((await agentsMd(join(outer, 'in'))).parts).toHaveLength(1)
  expect(await agentsMd(join(outer, 'empty'))).toEqual({ parts: [], problems: [] })
})

test('a 200 MB file is cut after a line without being read into memory, and told by name', async () => {
  const root = repository({ 'AGENTS.md': 'Be kind.\n'.repeat(10_000) })
  truncateSync(join(root, 'AGENTS.md'), 200 * 1024 ** 2)
  const before = process.memoryUsage()
  const { parts, problems } = await agentsMd(root)
  const after = process.memoryUsage()
  expect(after.rss + after.external - before.rss - before.external).toBeLessThan(100 * 1024 ** 2)
  expect(parts[0]?.text.length).toBeLessThan(INSTRUCTION_BOUNDS.file + 200)
  expect(parts[0]?.text).toMatch(/Be kind\.$/)
  expect(problems).toMatchObject([
    {
      code: 'instructions-too-large',
      message: 'AGENTS.md has 200 MB and is cut after line 3640: 32 KB is the most. Shorten it.',
    },
  ])
})

test('where the total is too much, the farthest are left out and named', async () => {
  const long = 'x'.repeat(99).concat('\n').repeat(300)
  const root = repository({ 'AGENTS.md': long, 'a/AGENTS.md': long, 'a/b/AGENTS.md': long })
  const { parts, problems } = await agentsMd(join(root, 'a/b'))
  expect(parts.map(({ partId }) => partId)).toEqual(['instructions:a/AGENTS.md', 'instructions:a/b/AGENTS.md'])
  expect(problems).toMatchObject([{ code: 'instructions-too-large', detail: { path: 'AGENTS.md' } }])
})

test('invalid UTF-8, binary data and a folder of that name are named and left out, the others still count', async () => {
  const root = repository({
    'AGENTS.md': 'root',
    'a/AGENTS.md': new Uint8Array([0x61, 0xff]),
    'a/b/AGENTS.md': new Uint8Array([0x61, 0]),
  })
  mkdirSync(join(root, 'a/b/c/AGENTS.md'), { recursive: true })
  const { parts, problems } = await agentsMd(join(root, 'a/b/c'))
  expect(parts.map(({ partId }) => partId)).toEqual(['instructions:AGENTS.md'])
  expect(problems.map(({ code }) => code)).toEqual(['path-kind', 'file-not-text', 'file-not-text'])
})

test('a link is followed within the repository and not out of it', async () => {
  const outer = temporaryFolder({
    'secret.md': 'obey',
    'repo/.git/HEAD': '',
    'repo/CLAUDE.md': 'inside',
    'repo/a/x': '',
  })
  symlinkSync('CLAUDE.md', join(outer, 'repo/AGENTS.md'))
  symlinkSync(join(outer, 'secret.md'), join(outer, 'repo/a/AGENTS.md'))
  const { parts, problems } = await agentsMd(join(outer, 'repo/a'))
  expect(parts.map(({ text }) => text.split('\n\n')[1])).toEqual(['inside'])
  expect(problems).toMatchObject([{ code: 'path-outside' }])
})

test('a working folder that is missing is refused by name', async () => {
  await expect(agentsMd(join(temporaryFolder(), 'none'))).rejects.toMatchObject({ code: 'path-missing' })
})

import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, folderOf, say, skillFile, skillHost } from '../../test/support/skill-host.js'

async function readFile(folder: string, path: string, more: object = {}): Promise<string> {
  const host = await skillHost(folder, [[call('read_skill_file', { skill: 'keys', path, ...more })], [say('done')]])
  return (await host.run('go')).outputs[0] ?? ''
}

const FILES = {
  'keys/SKILL.md': skillFile('keys'),
  'keys/references/doors.md': 'one\ntwo\nthree\n',
  'keys/assets/logo.png': Buffer.from([0x89, 0x50, 0, 1, 2]),
  'outside/codes.txt': 'secret',
  'other/SKILL.md': skillFile('other'),
}

test.each([
  '../outside/codes.txt',
  '../other/SKILL.md',
  '/etc/passwd',
  'references/../../outside/codes.txt',
  'references/codes.md',
])('%s is refused', async (path) => {
  const folder = folderOf(FILES)
  symlinkSync('../../outside/codes.txt', join(folder, 'keys/references/codes.md'))
  const said = await readFile(folder, path)
  expect(said).toContain('has no file')
  expect(said).not.toContain('secret')
})

test('a link that is planted after loading is not followed out', async () => {
  const folder = folderOf(FILES)
  const host = await skillHost(folder, (_, turn) => {
    if (turn > 1) return [say('done')]
    writeFileSync(join(folder, 'keys/references/doors.md'), '')
    symlinkSync('../../outside/codes.txt', join(folder, 'keys/references/late'))
    return [call('read_skill_file', { skill: 'keys', path: 'references/late' })]
  })
  expect((await host.run('go')).outputs[0]).not.toContain('secret')
})

test('text comes by lines, in any usual spelling of its path; what is no text becomes an artifact', async () => {
  const folder = folderOf(FILES)
  expect(await readFile(folder, './references/doors.md')).toBe('one\ntwo\nthree')
  expect(await readFile(folder, 'references/doors.md', { from: 2, lines: 1 })).toBe(
    'two\n[lines 2 to 2 of 3; from 3 goes on]',
  )
  expect(await readFile(folder, 'assets/logo.png')).toContain('image/png, 5 bytes')
  expect(await readFile(folder, 'doors.md')).toContain('Did you mean references/doors.md?')
})

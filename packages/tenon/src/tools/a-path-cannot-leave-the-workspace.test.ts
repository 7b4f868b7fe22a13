import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { editFileTool } from './edit-file.js'
import { listFilesTool } from './list-files.js'
import { readFileTool } from './read-file.js'
import { searchFilesTool } from './search-files.js'
import { Workspace } from './workspace.js'
import { writeFileTool } from './write-file.js'

function twoFolders() {
  const outer = temporaryFolder({ 'secret.txt': 'the secret', 'in/a.txt': 'inside', 'in-sibling/b.txt': 'beside' })
  const workspace = new Workspace(join(outer, 'in'))
  return { outer, inside: join(outer, 'in'), workspace, read: readFileTool(workspace, 'untrusted') }
}

test.each([
  '../secret.txt',
  'x/../../secret.txt',
  '..\\secret.txt',
  'a.txt/../../secret.txt',
  '/etc/passwd',
  '../in-sibling/b.txt',
  'C:\\Windows\\win.ini',
  'c:/windows/win.ini',
  '~/.ssh/id_rsa',
])('%s is refused by name, for reading and for writing', async (path) => {
  const { outer, workspace, read } = twoFolders()
  await expect(eventsOf(read, { path })).rejects.toMatchObject({ code: 'path-outside' })
  await expect(eventsOf(writeFileTool(workspace), { path, content: 'x' })).rejects.toMatchObject({
    code: 'path-outside',
  })
  expect(readFileSync(join(outer, 'secret.txt'), 'utf8')).toBe('the secret')
})

test('an error shows the path as it was written, not where it lies', async () => {
  const { outer, read } = twoFolders()
  for (const path of ['../secret.txt', 'missing.txt', 'a.txt/b'])
    await expect(eventsOf(read, { path })).rejects.toThrow(expect.not.stringContaining(outer))
})

test('an absolute path inside is understood', async () => {
  const { inside, read } = twoFolders()
  expect(await textOf(read, { path: join(inside, 'a.txt') })).toContain('inside')
})

test('a NUL character is refused by name', async () => {
  const { read } = twoFolders()
  await expect(eventsOf(read, { path: 'a.txt\0.md' })).rejects.toMatchObject({ code: 'path-invalid' })
})

test('links inside are followed, links out are refused, for a file and for a folder on the way', async () => {
  const { outer, inside, workspace, read } = twoFolders()
  symlinkSync('a.txt', join(inside, 'good'))
  symlinkSync(join(outer, 'secret.txt'), join(inside, 'bad'))
  symlinkSync(outer, join(inside, 'up'))
  expect(await textOf(read, { path: 'good' })).toContain('inside')
  const write = writeFileTool(workspace)
  const edit = editFileTool(workspace)
  for (const path of ['bad', 'up/secret.txt', 'up/in-sibling/b.txt']) {
    await expect(eventsOf(read, { path })).rejects.toMatchObject({ code: 'path-outside' })
    await expect(eventsOf(write, { path, content: 'x' })).rejects.toMatchObject({ code: 'path-outside' })
    await expect(eventsOf(edit, { path, old: 'the', new: 'a' })).rejects.toMatchObject({ code: 'path-outside' })
  }
  await expect(eventsOf(write, { path: 'up/new/deep.txt', content: 'x' })).rejects.toMatchObject({
    code: 'path-outside',
  })
  await expect(eventsOf(listFilesTool(workspace, 'untrusted'), { path: 'up' })).rejects.toMatchObject({
    code: 'path-outside',
  })
  expect(readdirSync(outer).sort()).toEqual(['in', 'in-sibling', 'secret.txt'])
})

test('a link to where nothing is cannot be written through', async () => {
  const { outer, inside, workspace } = twoFolders()
  symlinkSync(join(outer, 'new.txt'), join(inside, 'dangling'))
  await expect(eventsOf(writeFileTool(workspace), { path: 'dangling', content: 'x' })).rejects.toMatchObject({
    code: 'path-denied',
  })
  expect(existsSync(join(outer, 'new.txt'))).toBe(false)
})

test('listing and searching tell of links and do not follow them', async () => {
  const { outer, inside, workspace } = twoFolders()
  symlinkSync(outer, join(inside, 'up'))
  symlinkSync('.', join(inside, 'circle'))
  expect(await textOf(listFilesTool(workspace, 'untrusted'), {})).toBe('a.txt  6 bytes\ncircle  (link)\nup  (link)')
  expect(await textOf(searchFilesTool(workspace, 'untrusted'), { query: 'secret' })).toBe(
    'No line matches, in 1 files.',
  )
})

test('a folder that becomes a link while it is read never shows what is outside', async () => {
  const { outer, inside, read } = twoFolders()
  mkdirSync(join(inside, 'd'))
  writeFileSync(join(inside, 'd', 'secret.txt'), 'harmless')
  const seen = new Set<string>()
  let swaps = 0
  let swapping = true
  const swap = async () => {
    for (; swapping; swaps++) {
      renameSync(join(inside, 'd'), join(inside, 'aside'))
      symlinkSync(outer, join(inside, 'd'))
      await new Promise(setImmediate)
      rmSync(join(inside, 'd'))
      renameSync(join(inside, 'aside'), join(inside, 'd'))
      if (swaps % 2 === 0) await new Promise(setImmediate)
    }
  }
  const swapper = swap()
  for (let i = 0; i < 300; i++)
    await textOf(read, { path: 'd/secret.txt' }).then(
      (text) => seen.add(text),
      (error) => seen.add(error.code),
    )
  swapping = false
  await swapper
  expect([...seen].filter((one) => one.includes('the secret'))).toEqual([])
  expect(swaps).toBeGreaterThan(10)
})

test.skipIf(process.platform === 'win32')('a pipe or a device is refused and does not hang the host', async () => {
  const { inside, workspace, read } = twoFolders()
  execFileSync('mkfifo', [join(inside, 'pipe')])
  symlinkSync('/dev/zero', join(inside, 'zero'))
  await expect(eventsOf(read, { path: 'pipe' })).rejects.toMatchObject({ code: 'path-kind' })
  await expect(eventsOf(read, { path: 'zero' })).rejects.toMatchObject({ code: 'path-outside' })
  await expect(eventsOf(writeFileTool(workspace), { path: 'pipe', content: 'x' })).rejects.toMatchObject({
    code: 'path-kind',
  })
  expect(await textOf(searchFilesTool(workspace, 'untrusted'), { query: 'x' })).toContain('No line matches')
})

test.each(['.git/hooks/pre-commit', 'sub/.GIT/config', '.tenon/store.db', 'Tenon.yaml'])(
  '%s is not open to writing',
  async (path) => {
    const { inside, workspace } = twoFolders()
    await expect(eventsOf(writeFileTool(workspace), { path, content: 'x' })).rejects.toMatchObject({
      code: 'path-denied',
    })
    expect(readdirSync(inside)).toEqual(['a.txt'])
  },
)

test('a workspace that is missing or is a file is refused when it is made', () => {
  const folder = temporaryFolder({ 'a.txt': '' })
  expect(() => new Workspace(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'path-missing' }))
  expect(() => new Workspace(join(folder, 'a.txt'))).toThrow(expect.objectContaining({ code: 'path-kind' }))
})

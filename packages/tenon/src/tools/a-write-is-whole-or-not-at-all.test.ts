import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { eventsOf, resultOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { fileError } from './file-error.js'
import { replaceFile } from './replace-file.js'
import { Workspace } from './workspace.js'
import { writeFileTool } from './write-file.js'

const writer = (folder: string) => writeFileTool(new Workspace(folder))

test('a new file comes with its folders, an old one is replaced, nothing is left beside it', async () => {
  const folder = temporaryFolder({ 'old.txt': 'before' })
  expect(await textOf(writer(folder), { path: 'a/b/new.md', content: 'Grüße' })).toBe('Created a/b/new.md (7 bytes).')
  expect(await textOf(writer(folder), { path: 'old.txt', content: 'after' })).toBe('Replaced old.txt (5 bytes).')
  expect(readFileSync(join(folder, 'a/b/new.md'), 'utf8')).toBe('Grüße')
  expect(readFileSync(join(folder, 'old.txt'), 'utf8')).toBe('after')
  expect(readdirSync(folder).sort()).toEqual(['a', 'old.txt'])
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['new.md'])
})

test.skipIf(process.platform === 'win32')('the mode of a file is kept', async () => {
  const folder = temporaryFolder({ 'run.sh': 'echo 1' })
  chmodSync(join(folder, 'run.sh'), 0o750)
  await resultOf(writer(folder), { path: 'run.sh', content: 'echo 2' })
  expect(statSync(join(folder, 'run.sh')).mode & 0o7777).toBe(0o750)
})

test('a link to a file inside stays a link, the file behind it is written', async () => {
  const folder = temporaryFolder({ 'real.txt': 'before' })
  symlinkSync('real.txt', join(folder, 'link'))
  await resultOf(writer(folder), { path: 'link', content: 'after' })
  expect(readFileSync(join(folder, 'real.txt'), 'utf8')).toBe('after')
  expect(readdirSync(folder).sort()).toEqual(['link', 'real.txt'])
})

test('half a surrogate pair and too large a text are refused before anything is written', async () => {
  const folder = temporaryFolder()
  await expect(eventsOf(writer(folder), { path: 'a', content: 'x\ud83d' })).rejects.toMatchObject({
    code: 'file-not-text',
  })
  await expect(eventsOf(writer(folder), { path: 'a', content: 'x'.repeat(10 * 1024 ** 2 + 1) })).rejects.toMatchObject({
    code: 'file-too-large',
  })
  expect(readdirSync(folder)).toEqual([])
})

test('a folder, or a file where a folder is needed, is refused by name', async () => {
  const folder = temporaryFolder({ 'file.txt': 'x' })
  mkdirSync(join(folder, 'sub'))
  for (const path of ['sub', '.', 'file.txt/a'])
    await expect(eventsOf(writer(folder), { path, content: 'x' })).rejects.toMatchObject({ code: 'path-kind' })
  expect(readFileSync(join(folder, 'file.txt'), 'utf8')).toBe('x')
})

test('a file that changed since it was read is left as it is', async () => {
  const folder = temporaryFolder({ 'a.txt': 'before' })
  const workspace = new Workspace(folder)
  const { handle, stats } = await workspace.openFile('a.txt')
  await handle.close()
  writeFileSync(join(folder, 'a.txt'), 'somebody else')
  const place = await workspace.target('a.txt')
  await expect(replaceFile(workspace, place, Buffer.from('mine'), stats)).rejects.toMatchObject({
    code: 'file-changed',
  })
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('somebody else')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

const unshare = spawnSync('unshare', ['-m', 'true']).status === 0

type Written = { readonly code: string; readonly left: readonly string[]; readonly content: string }

/** Writes `a.txt` in a process of its own: `before` runs there first, `shell` around it. */
function writeInChild(folder: string, bytes: number, before: string, shell: readonly string[] = []): Written {
  const source = pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'tools')).href
  const script = `
    import { readdirSync, readFileSync } from 'node:fs'
    const { Workspace } = await import('${source}/workspace.js')
    const { writeFileTool } = await import('${source}/write-file.js')
    ${before}
    const tool = writeFileTool(new Workspace('${folder}'))
    let code = 'written'
    try { await tool.run({ path: 'a.txt', content: 'x'.repeat(${bytes}) }, {}) } catch (error) { code = error.code }
    console.log(JSON.stringify({ code, left: readdirSync('${folder}'), content: readFileSync('${folder}/a.txt', 'utf8') }))`
  const [command = process.execPath, ...rest] = [...shell, process.execPath, '--input-type=module', '-e', script]
  const child = spawnSync(command, rest, { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(child.stderr)
  return JSON.parse(child.stdout)
}

/** On a disk of 64 KB that `mount` then changes. */
function writeOnDisk(mount: string, bytes: number): Written {
  const folder = temporaryFolder()
  const prepare = `mount -t tmpfs -o size=64k tmpfs ${folder} && printf before > ${folder}/a.txt && ${mount.replace('DISK', folder)} && exec "$0" "$@"`
  return writeInChild(folder, bytes, '', ['unshare', '-m', 'sh', '-c', prepare])
}

const disks = (name: string, run: () => void) => {
  if (unshare) test(name, run)
  else if (process.env.CI) test(name, () => expect.fail('unshare -m (a disk of its own) is not allowed here'))
  else test.skip(`${name} (needs: unshare -m)`, () => {})
}

disks('a full disk is named and the old file is still whole', () => {
  expect(writeOnDisk('true', 200_000)).toEqual({ code: 'disk-full', left: ['a.txt'], content: 'before' })
})

disks('a read-only disk is named', () => {
  expect(writeOnDisk('mount -o remount,ro DISK', 5)).toEqual({
    code: 'disk-read-only',
    left: ['a.txt'],
    content: 'before',
  })
})

test('what the system says is passed on by name and without its path', () => {
  const error = Object.assign(new Error("EDQUOT: open '/home/me/secret'"), { code: 'EDQUOT' })
  expect(fileError(error, 'a.txt')).toMatchObject({ code: 'disk-full', message: expect.not.stringContaining('/home') })
  const unknown = new Error('other')
  expect(fileError(unknown, 'a.txt')).toBe(unknown)
})

test.skipIf(process.platform === 'win32')('a file that may not be written is not replaced behind its mode', () => {
  const folder = temporaryFolder({ 'a.txt': 'before' })
  chmodSync(folder, 0o777)
  chmodSync(join(folder, 'a.txt'), 0o444)
  const asNobody = process.getuid?.() === 0 ? 'process.setuid(65534)' : ''
  expect(writeInChild(folder, 5, asNobody)).toEqual({ code: 'path-denied', left: ['a.txt'], content: 'before' })
})

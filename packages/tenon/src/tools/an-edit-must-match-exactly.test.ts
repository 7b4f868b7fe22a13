import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HandEvent } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { callContext, eventsOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { editFileTool } from './edit-file.js'
import { exactEdit } from './exact-edit.js'
import { Workspace } from './workspace.js'

const editor = (folder: string) => editFileTool(new Workspace(folder))

test('the one occurrence is replaced and nothing else', async () => {
  const folder = temporaryFolder({ 'a.ts': 'const a = 1\nconst b = 2\n' })
  expect(await textOf(editor(folder), { path: 'a.ts', old: 'b = 2', new: 'b = $& 3' })).toBe('Edited a.ts at line 2.')
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('const a = 1\nconst b = $& 3\n')
})

test('several occurrences are named with their lines, and all of them can be asked for', async () => {
  const folder = temporaryFolder({ 'a.txt': 'x\ny\nx\nx x\n' })
  const edit = editor(folder)
  await expect(eventsOf(edit, { path: 'a.txt', old: 'x', new: 'z' })).rejects.toMatchObject({
    code: 'edit-ambiguous',
    message: expect.stringContaining('occurs 4 times in "a.txt", at lines 1, 3, 4, 4'),
  })
  expect(await textOf(edit, { path: 'a.txt', old: 'x', new: 'z', all: true })).toBe('Edited a.txt at 4 places.')
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('z\ny\nz\nz z\n')
})

test.each([
  [
    'white space that differs',
    '  if (a) {\n\treturn\n  }',
    'if (a) {\n  return\n}',
    'It would at line 1 if white space did not count',
  ],
  ['only the first line stands', 'one\ntwo\n', 'one\nthree', 'Its first line stands at line 1'],
  ['nothing comes near', 'one\n', 'four', 'Read the file again'],
  ['an empty text', 'one\n', '', 'write_file'],
  ['no change', 'one\n', 'one', 'nothing to do'],
])('%s', (_name, content, old, words) => {
  const edit = { old, new: old === 'one' ? 'one' : 'new' }
  expect(() => exactEdit(content, edit, 'a.txt')).toThrow(
    expect.objectContaining({ code: 'edit-no-match', message: expect.stringContaining(words) }),
  )
})

test('a file of CRLF lines is matched by LF text and keeps its line ends', () => {
  const edited = exactEdit('a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'a\nx\ny' }, 'f')
  expect(edited.text).toBe('a\r\nx\r\ny\r\nc\r\n')
})

test('in a file of mixed line ends every character counts', () => {
  expect(exactEdit('a\r\nb\nc', { old: 'b\nc', new: 'd\ne' }, 'f').text).toBe('a\r\nd\ne')
  expect(() => exactEdit('a\r\nb\nc', { old: 'a\nb', new: 'd' }, 'f')).toThrow(
    expect.objectContaining({ code: 'edit-no-match' }),
  )
})

test('a byte order mark stays, invalid UTF-8 is refused and left as it was', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62])
  const folder = temporaryFolder({ 'bom.txt': '\uFEFFa', 'bad.txt': bytes })
  await eventsOf(editor(folder), { path: 'bom.txt', old: 'a', new: 'b' })
  expect(readFileSync(join(folder, 'bom.txt'), 'utf8')).toBe('\uFEFFb')
  await expect(eventsOf(editor(folder), { path: 'bad.txt', old: 'a', new: 'b' })).rejects.toMatchObject({
    code: 'file-not-text',
  })
  expect(readFileSync(join(folder, 'bad.txt'))).toEqual(bytes)
})

/** The new text holds the old one: doing this edit twice would show. */
const appended = { path: 'a.txt', old: 'one\n', new: 'one\none\n' }

async function upToHandle(folder: string): Promise<Extract<HandEvent, { kind: 'handle' }>> {
  const stream = editor(folder).run(appended, callContext()) as AsyncIterable<HandEvent>
  for await (const event of stream) if (event.kind === 'handle') return event
  throw new Error('no handle')
}

test('an edit that was cut off before it was written is done once', async () => {
  const folder = temporaryFolder({ 'a.txt': 'one\n' })
  const { handle } = await upToHandle(folder)
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
  await eventsOf(editor(folder), appended, callContext({ handle, attempt: 2 }))
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\none\n')
})

test('an edit that was cut off after it was written is not done twice', async () => {
  const folder = temporaryFolder({ 'a.txt': 'one\n' })
  const { handle } = await upToHandle(folder)
  await eventsOf(editor(folder), appended)
  const again = await textOf(editor(folder), appended, callContext({ handle, attempt: 2 }))
  expect(again).toBe('Edited a.txt at line 1.')
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\none\n')
})

test('an edit whose file was changed meanwhile says so and changes nothing', async () => {
  const folder = temporaryFolder({ 'a.txt': 'one\n' })
  const { handle } = await upToHandle(folder)
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
  await expect(eventsOf(editor(folder), appended, callContext({ handle, attempt: 2 }))).rejects.toMatchObject({
    code: 'file-changed',
  })
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

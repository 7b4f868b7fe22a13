import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { plainText } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { callContext, eventsOf, resultOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { readFileTool } from './read-file.js'
import { characterEnd } from './read-line-range.js'
import { Workspace } from './workspace.js'

const reader = (folder: string) => readFileTool(new Workspace(folder), 'untrusted')

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('')

test('a small file comes whole and exact, CRLF and byte order mark included', async () => {
  const text = '\uFEFFa\r\n  b\r\nc'
  const read = reader(temporaryFolder({ 'a.txt': text }))
  expect(await resultOf(read, { path: 'a.txt' })).toMatchObject({
    value: { from: 1, to: 3, text, more: false },
    provenance: { source: 'file', name: 'a.txt', trust: 'untrusted' },
  })
  expect(await textOf(read, { path: 'a.txt' })).toBe(`a.txt, lines 1 to 3 of 3\n${text}`)
})

test.each([
  [{}, 1, 2000, true],
  [{ from: 2001 }, 2001, 4000, true],
  [{ from: 4999 }, 4999, 5000, false],
  [{ from: 5000, lines: 1 }, 5000, 5000, false],
  [{ from: 7, lines: 2 }, 7, 8, true],
])('the range %j is lines %i to %i', async (range, from, to, more) => {
  const read = reader(temporaryFolder({ 'a.txt': numbered(5000) }))
  const result = await resultOf(read, { path: 'a.txt', ...range })
  const text = numbered(5000)
    .split(/(?<=\n)/)
    .slice(from - 1, to)
    .join('')
  expect(result.value).toEqual({ path: 'a.txt', from, to, text, more })
})

test('the parts of a file with an open last line add up to the file, for lines around the cap', async () => {
  const lines = [1, 28_671, 28_670, 0, 0, 3, 28_671, 20_000].map((length) => 'x'.repeat(length))
  const whole = lines.join('\n')
  const read = reader(temporaryFolder({ 'a.txt': whole }))
  let text = ''
  let from = 1
  for (let more = true; more; ) {
    const { value } = await resultOf(read, { path: 'a.txt', from, lines: 2 })
    const part = value as { text: string; to: number; more: boolean }
    text += part.text
    from = part.to + 1
    more = part.more
  }
  expect(text).toBe(whole)
})

test.each([4_096, 1_000])(
  'where the view has room for %i characters no page is longer, and they add up to the file',
  async (room) => {
    const read = reader(temporaryFolder({ 'a.txt': numbered(1_000) }))
    let text = ''
    for (let from = 1, more = true; more; ) {
      const page = await resultOf(read, { path: 'a.txt', from }, callContext({ room }))
      expect(plainText(page.content).length).toBeLessThan(room)
      const part = page.value as { text: string; to: number; more: boolean }
      text += part.text
      from = part.to + 1
      more = part.more
    }
    expect(text).toBe(numbered(1_000))
    const bytes = await resultOf(read, { path: 'a.txt', length: 20_000 }, callContext({ room }))
    expect(plainText(bytes.content).length).toBeLessThan(room)
  },
)

test('a range after the end says how many lines there are', async () => {
  const read = reader(temporaryFolder({ 'a.txt': numbered(3), 'empty.txt': '' }))
  await expect(eventsOf(read, { path: 'a.txt', from: 4 })).rejects.toMatchObject({
    code: 'range-invalid',
    message: '"a.txt" has only 3 lines.',
  })
  expect(await textOf(read, { path: 'empty.txt' })).toBe('empty.txt is empty')
})

test('one endless line is cut between characters and can be read on by bytes', async () => {
  const read = reader(temporaryFolder({ 'a.json': '€'.repeat(200_000) }))
  const result = await resultOf(read, { path: 'a.json' })
  const { text } = result.value as { text: string }
  expect(text).toBe('€'.repeat(Math.floor((28 * 1024) / 3)))
  let whole = text
  for (let next = /offset (\d+)/.exec(await textOf(read, { path: 'a.json' })); next; ) {
    const args = { path: 'a.json', offset: Number(next[1]), length: 20_000 }
    whole += ((await resultOf(read, args)).value as { text: string }).text
    next = /with offset (\d+)/.exec(await textOf(read, args))
  }
  expect(whole).toBe('€'.repeat(200_000))
})

test('a 2 GB file gives its beginning without being read into memory', async () => {
  const folder = temporaryFolder({ 'big.log': numbered(100_000) })
  truncateSync(join(folder, 'big.log'), 2 * 1024 ** 3)
  const before = process.memoryUsage().rss
  expect(await textOf(reader(folder), { path: 'big.log', lines: 2 })).toBe(
    'big.log, lines 1 to 2\nline 1\nline 2\n\n[It goes on: read it from line 3.]',
  )
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2)
})

test('a cancelled read of a large file stops', async () => {
  const folder = temporaryFolder({ 'big.log': numbered(5_000) })
  truncateSync(join(folder, 'big.log'), 1024 ** 3)
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(eventsOf(reader(folder), { path: 'big.log', from: 9_000 }, callContext({ signal }))).rejects.toThrow(
    'stopped',
  )
})

test('bytes that are not UTF-8 are named with their place, and latin1 shows them', async () => {
  const bytes = Buffer.concat([Buffer.from('Grüße\nGr'), Buffer.from([0xfc, 0xdf]), Buffer.from('e\n')])
  const read = reader(temporaryFolder({ 'old.csv': bytes }))
  await expect(eventsOf(read, { path: 'old.csv' })).rejects.toMatchObject({
    code: 'file-not-text',
    detail: { byte: 10 },
  })
  await expect(eventsOf(read, { path: 'old.csv', from: 2 })).rejects.toMatchObject({ detail: { byte: 10 } })
  expect(await textOf(read, { path: 'old.csv', from: 2, encoding: 'latin1' })).toContain('Grüße')
})

test('binary data is named, UTF-16 text can be asked for', async () => {
  const read = reader(
    temporaryFolder({ 'a.bin': new Uint8Array([1, 0, 2]), 'w.txt': Buffer.from('\uFEFFein\nzwei', 'utf16le') }),
  )
  await expect(eventsOf(read, { path: 'a.bin' })).rejects.toMatchObject({ code: 'file-not-text' })
  await expect(eventsOf(read, { path: 'w.txt' })).rejects.toThrow('utf-16le')
  expect(await textOf(read, { path: 'w.txt', encoding: 'utf-16le', from: 2 })).toBe('w.txt, lines 2 to 2 of 2\nzwei')
})

test('an image is shown by what it is, whatever its name; too large a one is refused', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const folder = temporaryFolder({ 'photo.txt': png, 'huge.png': png })
  truncateSync(join(folder, 'huge.png'), 6 * 1024 ** 2)
  expect((await resultOf(reader(folder), { path: 'photo.txt' })).content[1]).toEqual({
    kind: 'image',
    mediaType: 'image/png',
    source: { kind: 'data', base64: png.toString('base64') },
    name: 'photo.txt',
  })
  await expect(eventsOf(reader(folder), { path: 'huge.png' })).rejects.toMatchObject({ code: 'file-too-large' })
})

test('a file that shrinks while it is read ends where it ends', async () => {
  const folder = temporaryFolder({ 'a.txt': numbered(100) })
  const workspace = new Workspace(folder)
  const { handle, stats } = await workspace.openFile('a.txt')
  writeFileSync(join(folder, 'a.txt'), 'gone\n')
  const fd = openSync(join(folder, 'a.txt'), 'a')
  writeSync(fd, 'more')
  closeSync(fd)
  const { fileSource } = await import('./byte-source.js')
  expect(Buffer.from(await fileSource(handle, Number(stats.size)).read(0, 1000)).toString()).toBe('gone\nmore')
  await handle.close()
})

test.each([
  ['aé', 2, 1],
  ['aé', 3, 3],
  ['€€', 4, 3],
  ['€€', 5, 3],
  ['€€', 6, 6],
  ['😀', 3, 0],
  ['abc', 2, 2],
])('a cut of %s at byte %i falls on %i', (text, end, at) => {
  expect(characterEnd(Buffer.from(text), end)).toBe(at)
})

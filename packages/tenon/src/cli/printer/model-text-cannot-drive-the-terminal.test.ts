import { expect, test } from 'vitest'
import { columns, fit } from './columns.js'
import { oneLineArguments } from './one-line-arguments.js'
import { safeStream, safeText } from './safe-text.js'

test.each([
  ['colours and cursor moves', '\u001b[2J\u001b[1;1Hgone', '\\x1b[2J\\x1b[1;1Hgone'],
  ['a title or a clipboard write', '\u001b]52;c;cm0=\u0007', '\\x1b]52;c;cm0=\\x07'],
  ['an 8-bit control sequence', '\u009b31m', '\\x9b31m'],
  ['direction changes', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['an overwritten line', 'rm -rf /\rls', 'rm -rf /\\x0dls'],
  ['letters that nobody sees', 'a\u200bb\u{e0041}c', 'a\\u200bb\\u{e0041}c'],
])('%s are shown as text', (_, text, shown) => {
  expect(safeText(text)).toBe(shown)
})

test('what is only text stays as it is', () => {
  const text = 'tab\there\nnext line\r\nÜbermut 数据 👩‍👩‍👧 ‏'.replace('‏', '')
  expect(safeText(text)).toBe(text.replace('\r\n', '\n'))
})

test('a text in pieces is shown as the whole is, wherever it is cut', () => {
  const text = 'a\r\nb\rc\u001b[31m👍\u{e0041}\u202e!'
  for (let first = 0; first <= text.length; first++)
    for (let second = first; second <= text.length; second++) {
      const stream = safeStream()
      const shown = [text.slice(0, first), text.slice(first, second), text.slice(second)].map((piece) =>
        stream.push(piece),
      )
      expect(shown.join('') + stream.end()).toBe(safeText(text))
    }
})

test('arguments stay on one line, bounded, and cannot act either', () => {
  const line = oneLineArguments(
    { path: 'a\nb\u001b[1m', content: 'x'.repeat(100_000), list: [1, 2], deep: { a: { b: 1 } }, none: null },
    120,
  )
  expect(line).not.toMatch(/[\n\u001b]/)
  expect(columns(line)).toBeLessThanOrEqual(120)
  expect(line).toContain('path="a\\nb')
  expect(line).toContain('100.0k chars')
})

test('wide letters count twice, and marks not at all', () => {
  expect([columns('数据'), columns('é'), columns('e\u0301'), columns('👍')]).toEqual([4, 1, 1, 2])
  expect(fit('数据数据', 5)).toBe('数据…')
})

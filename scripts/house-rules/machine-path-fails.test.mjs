import { expect, test } from 'vitest'
import { objectionsTo } from './fixture-checkout.mjs'

test.each([
  ['/wo', 'rk/main/packages'],
  ['/ro', 'ot/.config'],
  ['https://registry.np', 'mjs.org/zod'],
  ['https://files.python', 'hosted.org/packages'],
])('%s… is true on one machine only', (start, rest) => {
  const [objection, ...others] = objectionsTo({ 'docs/page.md': `first line\nsee ${start}${rest}\n` })
  expect(objection).toMatch(/^docs\/page\.md:2 .* has no place in a tracked file$/)
  expect(others).toEqual([])
})

test('an ordinary path is no secret', () => {
  expect(objectionsTo({ 'docs/page.md': 'lies in /usr/share/doc, work/main.ts or /tmp/x\n' })).toEqual([])
})

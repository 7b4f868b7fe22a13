import { expect, test } from 'vitest'
import { isRenamed, shownName } from './shown-name.js'

const TRICKY: readonly (readonly [string, string])[] = [
  ['a', 'b__c'],
  ['a__b', 'c'],
  ['a_', '_b'],
  ['a', '__b'],
  ['a', '_b'],
  ['a_', 'b'],
  ['mail', 'weather/today'],
  ['mail', 'weather_today'],
  ['mail', 'weather today'],
  ['mail', 'räksmörgås'],
  ['mail', 'raksmorgas'],
  ['mail', '天気'],
  ['mail', '気天'],
  ['mail', `${'x'.repeat(90)}1`],
  ['mail', `${'x'.repeat(90)}2`],
  ['m'.repeat(70), 'a'],
  ['m'.repeat(70), 'b'],
]

test('names that look alike, are too long or hold foreign letters are all told apart', () => {
  const shown = TRICKY.map(([server, tool]) => shownName(server, tool))
  expect(new Set(shown).size).toBe(TRICKY.length)
  for (const name of shown) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})

test('a tool whose own name looks like the digest of another is not taken for it', () => {
  const digested = shownName('mail', 'weather/today')
  expect(shownName('mail', digested.slice('mail__'.length))).not.toBe(digested)
})

test('a plain name is shown as it is, under its server', () => {
  expect(shownName('files', 'read_file')).toBe('files__read_file')
  expect(isRenamed('read_file', 'files__read_file')).toBe(false)
  expect(isRenamed('read/file', shownName('files', 'read/file'))).toBe(true)
})

test('a name does not depend on its neighbours', () => {
  const alone = shownName('mail', 'weather/today')
  shownName('mail', 'weather_today')
  expect(shownName('mail', 'weather/today')).toBe(alone)
})

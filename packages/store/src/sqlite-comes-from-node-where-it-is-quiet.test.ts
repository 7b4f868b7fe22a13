import { expect, test } from 'vitest'
import { hasQuietSqlite, loadDriver } from './driver.js'

test.each([
  ['20.19.0', false],
  ['22.13.0', false],
  ['24.14.1', false],
  ['24.15.0', true],
  ['25.6.1', false],
  ['25.7.0', true],
  ['26.0.0', true],
])('Node %s brings an SQLite that warns of nothing: %s', (version, quiet) => {
  expect(hasQuietSqlite(version)).toBe(quiet)
})

test('a platform without SQLite is told what to do', () => {
  // This Node has no module of that name, or one that it warns about; either way the driver is loaded for real.
  const load = () => loadDriver('26.0.0')
  if (process.versions.node.startsWith('20.')) expect(load).toThrow(expect.objectContaining({ code: 'store-driver' }))
  else expect(load().DatabaseSync).toBeTypeOf('function')
})

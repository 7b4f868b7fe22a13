import { expect, test } from 'vitest'
import { killEverywhere } from './kill-everywhere.mjs'

test('a run that is killed at any point ends with every effect once', { timeout: 300_000 }, async () => {
  const { points, failures } = await killEverywhere({ step: 3, offset: 1 })
  expect(failures).toEqual([])
  expect(points).toBeGreaterThan(12)
})

import type { Clock } from '@tenon/kernel'
import type { PruneOptions } from '@tenon/store'
import { expect, test } from 'vitest'
import { startRetention } from './retention.js'

const DAY = 86_400_000

/** A clock that the test holds, and a store that says what it is asked to remove. */
function held(prune: (options: PruneOptions) => void = () => undefined) {
  let now = 100 * DAY
  let due: { readonly at: number; readonly call: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    after(ms, call) {
      due = { at: now + ms, call }
      return () => {
        due = undefined
      }
    },
  }
  const asked: PruneOptions[] = []
  const errors: unknown[] = []
  const store = {
    prune: async (options: PruneOptions) => {
      asked.push(options)
      prune(options)
      return { runs: 0, artifacts: 0, vacuumed: false }
    },
  }
  return {
    asked,
    errors,
    start: (keepMs: number) => startRetention({ store, keepMs, clock, report: (error) => errors.push(error) }),
    isWaiting: () => due !== undefined,
    async pass(): Promise<number> {
      await new Promise(setImmediate)
      const next = due
      if (next === undefined) return 0
      const ms = next.at - now
      now = next.at
      due = undefined
      next.call()
      return ms
    },
  }
}

test('what ended before the time is removed at the start and every hour, without holding writers up', async () => {
  const { asked, start, pass } = held()
  start(30 * DAY)
  expect(await pass()).toBe(DAY / 24)
  expect(asked).toEqual([
    { olderThan: 70 * DAY, vacuum: false },
    { olderThan: 70 * DAY + DAY / 24, vacuum: false },
  ])
})

test('a time shorter than an hour is looked at as often', async () => {
  const { start, pass } = held()
  start(60_000)
  expect(await pass()).toBe(60_000)
})

test('a store that cannot be written is reported, and looked at again', async () => {
  const { asked, errors, start, pass } = held(() => {
    throw new Error('busy')
  })
  start(DAY)
  await pass()
  await pass()
  expect(errors.length).toBeGreaterThan(0)
  expect(asked.length).toBeGreaterThan(1)
})

test('nothing waits after it was stopped', async () => {
  const { asked, start, pass, isWaiting } = held()
  start(DAY)()
  await pass()
  expect(isWaiting()).toBe(false)
  expect(asked).toHaveLength(1)
})

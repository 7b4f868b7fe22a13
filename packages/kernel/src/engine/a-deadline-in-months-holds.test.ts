import { expect, test } from 'vitest'
import { calendar } from '../../test/support/calendar.js'
import { submitted } from '../../test/support/submitted.js'
import type { Submission } from '../run/events.js'
import { RunState } from '../run/state.js'
import { armDeadline } from './deadline.js'

const DAY = 86_400_000

const runWith = (more: Partial<Submission>): RunState => RunState.of([submitted(more)])

test('a deadline further off than a timer can wait ends the run then and not before', () => {
  const clock = calendar()
  const told: string[] = []
  armDeadline(runWith({ deadline: 1_000 + 90 * DAY }), clock, ({ code }) => told.push(code))
  clock.pass(89 * DAY)
  expect(told).toEqual([])
  clock.pass(2 * DAY)
  expect(told).toEqual(['deadline-passed'])
})

test('the first of deadline and working time counts, and it can be taken back', () => {
  const clock = calendar()
  const told: string[] = []
  const run = runWith({ deadline: 1_000 + 2 * DAY, limits: { wallMs: DAY } })
  const stop = armDeadline(run, clock, ({ code }) => told.push(code))
  armDeadline(run, clock, ({ code }) => told.push(code))
  stop?.()
  clock.pass(DAY)
  expect(told).toEqual(['limit-reached'])
  expect(armDeadline(runWith({}), clock, () => undefined)).toBeUndefined()
  expect(clock.waiting()).toBe(0)
})

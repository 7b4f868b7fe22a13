import type { Clock } from '../ports/clock.js'
import type { RunState } from '../run/state.js'

/** Why a run's time is up. */
export type TimeUp = { readonly code: 'deadline-passed' | 'limit-reached'; readonly message: string }

/** The longest a timer can wait, milliseconds: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Why the time of a run is up already; undefined while it has some left. */
export function timeUp(run: RunState, now: number): TimeUp | undefined {
  const first = firstEnd(run, now)
  return first && first.at <= now ? first : undefined
}

/**
 * Calls `over` when the first of a run's deadline and its limit of working time has passed, never from within the
 * call. Returns how to take that back; undefined for a run that may take its time.
 */
export function armDeadline(run: RunState, clock: Clock, over: (why: TimeUp) => void): (() => void) | undefined {
  const first = firstEnd(run, clock.now())
  if (!first) return undefined
  let stop = (): void => undefined
  const wait = (): void => {
    const ms = Math.max(0, first.at - clock.now())
    stop = clock.after(Math.min(ms, MAX_TIMER_MS), ms > MAX_TIMER_MS ? wait : () => over(first), true)
  }
  wait()
  return () => stop()
}

function firstEnd(run: RunState, now: number): (TimeUp & { readonly at: number }) | undefined {
  const { deadline, limits } = run.submission
  const ends: (TimeUp & { readonly at: number })[] = []
  if (deadline !== undefined)
    ends.push({ at: deadline, code: 'deadline-passed', message: 'The deadline of the run has passed.' })
  if (limits.wallMs !== undefined)
    ends.push({
      at: now + limits.wallMs - run.totals.activeMs,
      code: 'limit-reached',
      message: `The run worked longer than its limit of ${limits.wallMs} ms.`,
    })
  return ends.sort((a, b) => a.at - b.at)[0]
}

import type { Clock } from '../../src/ports/clock.js'

/** A clock that stands still until time is made to pass. Its timers are refused what real ones cannot do. */
export type Calendar = Clock & { pass(ms: number): void; waiting(): number }

export function calendar(): Calendar {
  let now = 1_000
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  return {
    now: () => now,
    after(ms, callback) {
      if (ms > 2 ** 31 - 1) throw new RangeError('no timer waits that long')
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    pass(ms) {
      const end = now + ms
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at)[0]
        if (!next || next.at > end) break
        now = next.at
        timers.delete(next)
        next.callback()
      }
      now = end
    },
    waiting: () => timers.size,
  }
}

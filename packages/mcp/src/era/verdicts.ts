import type { EraName, EraVerdicts } from '../upstream/upstream.js'

const LIFE_MS = 6 * 60 * 60 * 1_000
const MOST = 1_000

/** Verdicts in memory, each with an end: a server that was legacy yesterday may be updated today. */
export function memoryVerdicts(lifeMs = LIFE_MS, now: () => number = Date.now): EraVerdicts {
  const known = new Map<string, { readonly era: EraName; readonly until: number }>()
  return {
    get(key) {
      const found = known.get(key)
      if (found === undefined || found.until > now()) return found?.era
      known.delete(key)
      return undefined
    },
    set(key, era) {
      known.delete(key)
      known.set(key, { era, until: now() + lifeMs })
      const [oldest] = known.keys()
      if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    },
  }
}

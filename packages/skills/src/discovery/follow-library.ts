import type { SkillLibrary, SkillSet } from './skill-library.js'

export type FollowOptions = {
  /** Milliseconds between two looks, at least. A look that takes long makes the next one wait longer. */
  readonly everyMs?: number
  /** Called when a look has found another set. */
  readonly onChange: (set: SkillSet) => void
}

const EVERY_MS = 2_000
/** A look may take this share of the time. */
const SHARE = 0.02

/**
 * Looks for changes again and again until it is told to stop. It compares time stamps in place of asking the system to
 * be told: that works the same on every system and on network disks, and it misses nothing. Keeps no process alive.
 */
export function followLibrary(library: SkillLibrary, { everyMs = EVERY_MS, onChange }: FollowOptions): () => void {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const wait = (ms: number): void => {
    if (!stopped) timer = setTimeout(look, ms).unref()
  }
  const look = async (): Promise<void> => {
    const before = library.current
    const began = performance.now()
    const now = await library.load()
    if (!stopped && now !== before) onChange(now)
    wait(Math.max(everyMs, (performance.now() - began) / SHARE))
  }
  wait(everyMs)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

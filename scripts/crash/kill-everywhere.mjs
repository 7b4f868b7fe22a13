import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt, World } from './attempt.mjs'

/** Each of these must have happened when the run has ended: once, whatever was killed. */
const ONCE = ['pay', 'note']
/** These may be asked for again, under one key: the other side tells the same thing from another. */
const KEYED = ['put', 'peer']

/** @param {World} world */
function verdict(world) {
  const lost = [...ONCE, ...KEYED, 'look', 'attach'].filter((name) => world.times(name) === 0)
  const doubled = [...ONCE.filter((name) => world.times(name) > 1), ...KEYED.filter((name) => world.keys(name) > 1)]
  return { lost, doubled }
}

/**
 * Kills the run with SIGKILL at every point, or at every `step`-th, and lets another process finish it.
 *
 * @param {{ step?: number, offset?: number, onPoint?: (done: number, of: number) => void }} [options]
 */
export async function killEverywhere({ step = 1, offset = 0, onPoint } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-'))
  try {
    const whole = new World()
    const unharmed = await attempt(join(folder, 'whole'), whole, -1)
    const fine = verdict(whole)
    if (unharmed.ended !== 'completed' || fine.lost.length + fine.doubled.length > 0)
      throw new Error(
        `The run does not even end unharmed: ${unharmed.ended} ${JSON.stringify(fine)}\n${unharmed.stderr}`,
      )
    const total = unharmed.points.length
    const failures = []
    let killed = 0
    for (let at = offset; at < total; at += step) {
      const world = new World()
      const dir = join(folder, String(at))
      const first = await attempt(dir, world, at)
      if (first.killed) killed += 1
      const second = await attempt(dir, world, -1)
      const { lost, doubled } = verdict(world)
      const stuck = second.ended !== 'completed'
      const where = `${at}: ${unharmed.points[at]}`
      if (stuck || lost.length > 0 || doubled.length > 0)
        failures.push({ where, lost, doubled, stuck, stderr: second.stderr })
      rmSync(dir, { recursive: true, force: true })
      onPoint?.(at + 1, total)
    }
    return {
      points: killed,
      lost: failures.filter(({ lost, stuck }) => lost.length > 0 && !stuck).length,
      doubled: failures.filter(({ doubled }) => doubled.length > 0).length,
      stuck: failures.filter(({ stuck }) => stuck).length,
      failures,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

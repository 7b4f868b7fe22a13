import { spawnSync } from 'node:child_process'
import { beforeEach } from 'vitest'

/**
 * Says that the tests of this file, or of the `describe` it is called in, need something from the system: a compiler,
 * a sandbox, a database, the case files beside the checkout. Where it is missing they are skipped by its name; with
 * `CI=true` they fail, because there everything must be present.
 *
 * Returns whether it is there, for set-up that would throw without it.
 */
export function needs(name: string, probe: () => boolean): boolean {
  const present = probe()
  if (present) return true
  beforeEach((context) => {
    if (process.env.CI === 'true') throw new Error(`${name} is missing, and with CI=true nothing may be skipped`)
    context.skip(`needs ${name}`)
  })
  return false
}

/** The same for a program on the path that tells its version. */
export const needsProgram = (name: string): boolean => needs(name, () => spawnSync(name, ['--version']).status === 0)

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** In a staging folder: the skill that a new one takes the place of, by its name. */
export const REPLACED = 'replaced'

/**
 * A folder beside the skills folder `into`: on the same disk, so that one rename moves a skill, and where no host looks for
 * skills. What a process left that was killed is cleared away, and a skill that it had moved aside comes back.
 */
export function stagingFolder(into: string): string {
  const prefix = `.${basename(into)}-staging-`
  const parent = dirname(into)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const [pid] = name.slice(prefix.length).split('-')
    if (!isAlive(Number(pid))) clear(join(parent, name), into)
  }
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`))
}

function clear(left: string, into: string): void {
  const replaced = join(left, REPLACED)
  for (const skill of existsSync(replaced) ? readdirSync(replaced) : [])
    if (!existsSync(join(into, skill))) renameSync(join(replaced, skill), join(into, skill))
  rmSync(left, { recursive: true, force: true })
}

/** What is no process id belongs to nobody. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

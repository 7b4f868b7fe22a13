import { type LockEntry, readLock, SkillsError, stageSkill } from '@tenon/skills'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { whileWaiting } from '../while-waiting.js'
import { type InstallOptions, settle, skillsFolder } from './add-skill.js'

/** Your own skills and those of a project lie in two folders, so the one that was looked into is named. */
export const noneInstalled = (folder: string): string =>
  `No skill was installed in ${safeText(folder)} by tenon skills add.\n`

/** `tenon skills update`: each skill by itself; one that cannot be fetched stops no other. */
export async function updateSkills(io: Io, names: readonly string[], options: InstallOptions): Promise<number> {
  const into = skillsFolder(io, options)
  const lock = readLock(into)
  const wanted = names.length === 0 ? [...lock.keys()] : names
  let code: number = EXIT.completed
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    for (const name of wanted) {
      if (stop.signal.aborted) break
      const entry = lock.get(name)
      if (entry === undefined)
        throw new SkillsError('skill-not-installed', `${name} was not installed in ${into} by tenon skills add.`)
      code = Math.max(code, await updateSkill(io, name, entry, options, stop.signal))
    }
  } finally {
    process.off('SIGINT', interrupt)
  }
  if (wanted.length === 0) io.stderr.write(noneInstalled(into))
  return code
}

async function updateSkill(
  io: Io,
  name: string,
  { source, skill, digest }: LockEntry,
  options: InstallOptions,
  signal: AbortSignal,
): Promise<number> {
  const into = skillsFolder(io, options)
  try {
    const staging = stageSkill(source, { into, cwd: into, signal, ...(skill === undefined ? {} : { skill }) })
    const staged = await whileWaiting(io, {}, `fetching ${safeText(name)}`, staging)
    try {
      if (staged.digest !== digest || staged.replaces?.digest !== digest)
        return await settle(io, staged, options, signal)
      io.stderr.write(`${safeText(name)}: up to date\n`)
      return EXIT.completed
    } finally {
      staged.discard()
    }
  } catch (error) {
    if (!(error instanceof SkillsError)) throw error
    io.stderr.write(`${safeText(name)}: ${safeText(error.message)}\n`)
    return EXIT.failed
  }
}

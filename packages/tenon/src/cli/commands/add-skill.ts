import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { SkillsError, type StagedSkill, stageSkill, trustFile } from '@tenon/skills'
import { skillTrustFile } from '../../skills/open-skills.js'
import { stagedLines } from '../../skills/staged-lines.js'
import { terminalAsker } from '../consent/asker.js'
import { EXIT } from '../exit-code.js'
import { type Io, isInteractive } from '../io.js'
import { whileWaiting } from '../while-waiting.js'

export type InstallOptions = {
  readonly project?: boolean
  readonly into?: string
  readonly yes?: boolean
  readonly plain?: boolean
}

/** The skills folder that is meant: the user's own, the project's, or the one that was named. */
export function skillsFolder(io: Io, { project, into }: InstallOptions): string {
  if (into !== undefined) return resolve(io.cwd, into)
  const home = io.environment.HOME || io.environment.USERPROFILE || homedir()
  return join(project ? io.cwd : home, '.agents', 'skills')
}

/** `tenon skills add` */
export async function addSkill(
  io: Io,
  source: string,
  options: InstallOptions & { readonly skill?: string },
): Promise<number> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  const staging = stageSkill(source, {
    into: skillsFolder(io, options),
    cwd: io.cwd,
    signal: stop.signal,
    ...(options.skill === undefined ? {} : { skill: options.skill }),
  })
  const staged = await whileWaiting(io, {}, 'fetching the skill', staging)
  try {
    return await settle(io, staged, options, stop.signal)
  } finally {
    process.off('SIGINT', interrupt)
    staged.discard()
  }
}

/** Shows what was staged, asks, and puts it there: the consent is for exactly this version. */
export async function settle(
  io: Io,
  staged: StagedSkill,
  options: InstallOptions,
  signal: AbortSignal,
): Promise<number> {
  const place = join(skillsFolder(io, options), staged.directory)
  if (staged.replaces?.installed === false)
    throw new SkillsError(
      'skill-exists',
      `${place} is there and did not come by tenon skills add: move it away first. Nothing was installed.`,
    )
  for (const line of stagedLines(staged)) io.stderr.write(`${line}\n`)
  if (!(await consented(io, staged, options, signal))) {
    io.stderr.write('Nothing was installed.\n')
    return EXIT.refused
  }
  // First, because a record that cannot be read refuses it.
  trustFile(skillTrustFile(io.environment)).trust(staged.digest, staged.skill.name)
  staged.commit({ replace: staged.replaces !== undefined })
  io.stdout.write(`${place}\n`)
  return EXIT.completed
}

async function consented(io: Io, staged: StagedSkill, options: InstallOptions, signal: AbortSignal): Promise<boolean> {
  if (options.yes) return true
  if (!isInteractive(io)) {
    io.stderr.write('Nobody is there to be asked; --yes installs it.\n')
    return false
  }
  const verb = staged.replaces === undefined ? 'Install' : 'Replace'
  const typed = await terminalAsker(io).question(`${verb} ${staged.directory} and trust this version? [y/N] `, signal)
  return typed !== undefined && /^y(es)?$/i.test(typed.trim())
}

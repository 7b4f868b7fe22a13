import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SkillsError } from '../errors.js'
import { ARCHIVE_LIMITS } from './archive-entry.js'

export type SourceCommandOptions = {
  /** What the user named, for the message of a failure. */
  readonly source: string
  /** Where it runs. */
  readonly temporary: string
  readonly signal?: AbortSignal
  readonly env?: Readonly<Record<string, string>>
  /** Reads why it failed from what it printed; the last line of standard error otherwise. */
  readonly reason?: (stdout: string) => string | undefined
}

const TIMEOUT_MS = 120_000
const run = promisify(execFile)

/** Runs git or npm to bring a source here, and gives what it printed. @throws SkillsError `skill-source-unreadable` */
export async function sourceCommand(
  program: 'git' | 'npm',
  args: readonly string[],
  { source, temporary, signal, env = {}, reason }: SourceCommandOptions,
): Promise<string> {
  try {
    const { stdout } = await run(program, args, {
      cwd: temporary,
      timeout: TIMEOUT_MS,
      maxBuffer: ARCHIVE_LIMITS.archiveBytes,
      env: { ...cleanEnvironment(), ...env },
      shell: process.platform === 'win32' && program === 'npm',
      ...(signal === undefined ? {} : { signal }),
    })
    return stdout
  } catch (cause) {
    const { code, stdout = '', stderr = '' } = cause as NodeJS.ErrnoException & { stdout?: string; stderr?: string }
    const said = reason?.(stdout) ?? stderr.trim().split('\n').at(-1)
    const why = String(code) === 'ENOENT' ? `${program} is not installed.` : said || `${program} failed.`
    throw new SkillsError('skill-source-unreadable', `${source}: ${why}`, { cause })
  }
}

/** What git and npm need to find themselves, their configuration and the network; no keys of anything else. */
const PASSED =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|TMPDIR|LANG|LC_\w+|SSH_AUTH_SOCK|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|\w*_PROXY|NPM_CONFIG_\w+|GIT_CONFIG_\w+|XDG_CONFIG_HOME)$/i

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)))

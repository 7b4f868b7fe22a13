import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { SkillsError } from '../errors.js'
import { ARCHIVE_LIMITS } from './archive-entry.js'
import { checkEntries } from './check-entries.js'
import { folderEntries } from './folder-entries.js'
import type { InstallSource } from './install-source.js'
import { type PickedSkill, pickNamed, pickOnly } from './pick-skill.js'
import { readArchive } from './read-archive.js'

/** A skill as its source gives it, and which state of the source that is. */
export type Fetched = { readonly picked: PickedSkill; readonly ref?: string }

export type FetchOptions = {
  /** An empty folder for what has to be brought here first. */
  readonly temporary: string
  /** Which skill, where there are several. */
  readonly skill: string | undefined
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 120_000
const run = promisify(execFile)

/** Brings a source here and finds the skill in it. Runs nothing of what it brings. @throws ArchiveRefusal, SkillsError */
export async function fetchSource(source: InstallSource, options: FetchOptions): Promise<Fetched> {
  switch (source.kind) {
    case 'folder': {
      const picked = pickNamed(folderEntries(source.path), options.skill)
      return { picked: picked.directory === undefined ? { ...picked, directory: basename(source.path) } : picked }
    }
    case 'archive':
      return fromArchive(source.path)
    case 'git':
      return fromGit(source, options)
    case 'npm':
      return fromNpm(source.spec, options)
  }
}

function fromArchive(path: string): Fetched {
  const archive = readFileSync(path)
  const entries = readArchive(archive)
  checkEntries(entries)
  return { picked: pickOnly(entries), ref: `sha256:${createHash('sha256').update(archive).digest('hex')}` }
}

async function fromGit({ url, ref }: { url: string; ref?: string }, options: FetchOptions): Promise<Fetched> {
  const into = join(options.temporary, 'clone')
  const git = (...args: string[]): Promise<{ stdout: string }> =>
    command('git', [...GIT_FLAGS, ...args], url, options, { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true' })
  await git('init', '--quiet', into)
  await git('-C', into, 'fetch', '--quiet', '--depth=1', '--no-tags', '--', url, ref ?? 'HEAD')
  await git('-C', into, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  const { stdout } = await git('-C', into, 'rev-parse', 'HEAD')
  return { picked: pickNamed(folderEntries(into), options.skill), ref: stdout.trim() }
}

/** No hooks, no programs as transports, no submodules, no filters of the repository's choice. */
const GIT_FLAGS = [
  '-c',
  'core.hooksPath=',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'submodule.recurse=false',
  '-c',
  'core.fsmonitor=false',
]

async function fromNpm(spec: string, options: FetchOptions): Promise<Fetched> {
  const into = join(options.temporary, 'pack')
  mkdirSync(into)
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into, '--', spec]
  await command('npm', args, `npm:${spec}`, options, {})
  const file = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new SkillsError('skill-source-unreadable', `npm:${spec}: npm brought nothing.`)
  const entries = readArchive(readFileSync(join(into, file)))
  checkEntries(entries)
  // Everything in a package stands in one folder, which has nothing to do with a skill's name.
  const inside = entries.map((entry) => ({ ...entry, name: entry.name.replace(/^[^/]+\//, '') }))
  return { picked: pickNamed(inside, options.skill), ref: file.replace(/\.tgz$/, '') }
}

async function command(
  program: string,
  args: readonly string[],
  source: string,
  { temporary, signal }: FetchOptions,
  extra: Readonly<Record<string, string>>,
): Promise<{ stdout: string }> {
  try {
    return await run(program, args, {
      cwd: temporary,
      timeout: TIMEOUT_MS,
      maxBuffer: ARCHIVE_LIMITS.archiveBytes,
      env: { ...cleanEnvironment(), ...extra },
      shell: process.platform === 'win32' && program === 'npm',
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    const { code, stderr } = cause as NodeJS.ErrnoException & { stderr?: string }
    const missing = `${program} is not installed.`
    const why = String(code) === 'ENOENT' ? missing : (stderr?.trim().split('\n').at(-1) ?? `${program} failed.`)
    throw new SkillsError('skill-source-unreadable', `${source}: ${why}`, { cause })
  }
}

/** What git and npm need to find themselves, their configuration and the network; no keys of anything else. */
const PASSED =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|TMPDIR|LANG|LC_\w+|SSH_AUTH_SOCK|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|\w*_PROXY|NPM_CONFIG_\w+|GIT_CONFIG_\w+|XDG_CONFIG_HOME)$/i

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)))

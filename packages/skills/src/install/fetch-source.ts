import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SkillsError } from '../errors.js'
import { checkEntries } from './check-entries.js'
import { fetchNpm } from './fetch-npm.js'
import type { Fetched, FetchOptions } from './fetched.js'
import { folderEntries } from './folder-entries.js'
import type { InstallSource } from './install-source.js'
import { pickNamed, pickOnly } from './pick-skill.js'
import { readArchive } from './read-archive.js'
import { sourceCommand } from './source-command.js'

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
      return fetchNpm(source.spec, options)
  }
}

function fromArchive(path: string): Fetched {
  const archive = bytesOf(path)
  const entries = readArchive(archive)
  checkEntries(entries)
  return { picked: pickOnly(entries), ref: `sha256:${createHash('sha256').update(archive).digest('hex')}` }
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new SkillsError('skill-source-unreadable', `${path}: It cannot be read (${code}).`, { cause })
  }
}

async function fromGit({ url, ref }: { url: string; ref?: string }, options: FetchOptions): Promise<Fetched> {
  const into = join(options.temporary, 'clone')
  const env = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true' }
  const git = (...args: string[]): Promise<string> =>
    sourceCommand('git', [...GIT_FLAGS, ...args], { ...options, source: url, env })
  await git('init', '--quiet', into)
  await git('-C', into, 'fetch', '--quiet', '--depth=1', '--no-tags', '--', url, ref ?? 'HEAD')
  await git('-C', into, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  const commit = await git('-C', into, 'rev-parse', 'HEAD')
  return { picked: pickNamed(folderEntries(into), options.skill), ref: commit.trim() }
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

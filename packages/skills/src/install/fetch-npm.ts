import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '@tenon/kernel'
import { SkillsError } from '../errors.js'
import { checkEntries } from './check-entries.js'
import type { Fetched, FetchOptions } from './fetched.js'
import { pickNamed } from './pick-skill.js'
import { readArchive } from './read-archive.js'
import { sourceCommand } from './source-command.js'

/**
 * A package from the registry that npm is set up for. npm checks what it gets against the integrity that the registry
 * states; nothing of the package is run, and nothing that it depends on is fetched.
 */
export async function fetchNpm(spec: string, options: FetchOptions): Promise<Fetched> {
  const source = `npm:${spec}`
  const into = join(options.temporary, 'pack')
  mkdirSync(into)
  const args = [...NPM_FLAGS, '--pack-destination', into, '--', spec]
  const said = await sourceCommand('npm', ['pack', ...args], { ...options, source, reason: reasonIn })
  const file = readdirSync(into).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new SkillsError('skill-source-unreadable', `${source}: npm brought nothing.`)
  const entries = readArchive(readFileSync(join(into, file)))
  checkEntries(entries)
  // Everything in a package stands in one folder, which has nothing to do with a skill's name.
  const inside = entries.map((entry) => ({ ...entry, name: entry.name.replace(/^[^/]+\//, '') }))
  return { picked: pickNamed(inside, options.skill), ref: versionIn(said) ?? file.replace(/\.tgz$/, '') }
}

const NPM_FLAGS = ['--json', '--ignore-scripts', '--loglevel=silent', '--no-update-notifier', '--no-audit', '--no-fund']

/** `name@version` of what was brought. */
function versionIn(stdout: string): string | undefined {
  const [packed] = [json(stdout)].flat()
  return isJsonObject(packed) && typeof packed.id === 'string' ? packed.id : undefined
}

function reasonIn(stdout: string): string | undefined {
  const said = json(stdout)
  const error = isJsonObject(said) ? said.error : undefined
  if (!isJsonObject(error) || typeof error.summary !== 'string') return undefined
  return typeof error.code === 'string' ? `${error.code}: ${error.summary}` : error.summary
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

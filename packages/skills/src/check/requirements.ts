import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { LoadedSkill } from '../loading/skill.js'

/** Something outside of a skill that it needs: a tool, an MCP server, a peer, a program, a variable, one of its scripts. */
export type Requirement = {
  readonly kind: 'tool' | 'mcp' | 'peer' | 'bin' | 'env' | 'script' | 'skill'
  readonly name: string
}

const KINDS: ReadonlySet<string> = new Set(['tool', 'mcp', 'peer', 'bin', 'env', 'script', 'skill'])

/**
 * What a skill says it needs: `metadata.requires: "mcp:files peer:reviewer script:scripts/check.mjs bin:git env:TOKEN"`,
 * and the nested form that other registries use (`metadata.*.requires.{bins,env}`).
 */
export function requirementsOf({ metadata }: Pick<LoadedSkill, 'metadata'>): readonly Requirement[] {
  if (!isMap(metadata)) return []
  const found = new Map<string, Requirement>()
  const add = (kind: string, name: string): void => {
    if (KINDS.has(kind) && name !== '') found.set(`${kind}:${name}`, { kind: kind as Requirement['kind'], name })
  }
  if (typeof metadata.requires === 'string')
    for (const word of metadata.requires.split(/[\s,]+/)) {
      const colon = word.indexOf(':')
      if (colon > 0) add(word.slice(0, colon), word.slice(colon + 1))
    }
  for (const vendor of Object.values(metadata)) {
    if (!isMap(vendor) || !isMap(vendor.requires)) continue
    for (const name of texts(vendor.requires.bins)) add('bin', name)
    for (const name of texts(vendor.requires.env)) add('env', name)
  }
  return [...found.values()]
}

/** What there is around a skill. */
export type Surroundings = {
  readonly tools: ReadonlySet<string>
  readonly servers: ReadonlySet<string>
  readonly peers: ReadonlySet<string>
  readonly skills: ReadonlySet<string>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The requirements that are not met here. */
export function missingRequirements(skill: LoadedSkill, around: Surroundings): readonly Requirement[] {
  return requirementsOf(skill).filter(({ kind, name }) => {
    switch (kind) {
      case 'tool':
        return !around.tools.has(name)
      case 'mcp':
        return !around.servers.has(name.split('/')[0] ?? name)
      case 'peer':
        return !around.peers.has(name)
      case 'skill':
        return !around.skills.has(name)
      case 'script':
        return !skill.resources.includes(name) && !skill.resources.includes(`scripts/${name}`)
      case 'env':
        return !around.environment[name]
      case 'bin':
        return !isOnPath(name, around.environment)
      default:
        return false
    }
  })
}

function isOnPath(program: string, environment: Surroundings['environment']): boolean {
  if (/[/\\]/.test(program)) return false
  const endings = process.platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, `${program}${ending}`))))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

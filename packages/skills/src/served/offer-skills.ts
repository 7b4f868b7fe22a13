import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { JsonObject } from '@tenon/kernel'
import { parseDocument } from 'yaml'
import type { SkillSet } from '../discovery/skill-library.js'
import { splitFrontmatter } from '../loading/frontmatter.js'
import type { Skill } from '../loading/skill.js'
import { readInside } from '../loading/skill-files.js'
import { ENTRY_LIMITS, type EntryFile, type SkillEntry } from './skill-entry.js'

/** What a server answers about the skills that it offers. Undefined for an address that is none of them. */
export type SkillOffer = {
  list(): JsonObject
  get(uri: string): JsonObject | undefined
  /** The contents of `resources/read`. */
  read(uri: string): JsonObject | undefined
}

/** Lists may be kept for this long. */
const TTL_MS = 60_000
const CACHING = { ttlMs: TTL_MS, cacheScope: 'private' } as const

/**
 * The skills that a model may use, as the skills extension of MCP offers them (SEP-2640): every file with its digest.
 * A skill whose frontmatter other readers would refuse, or that is over the limits, is not offered.
 */
export function offerSkills(skills: () => SkillSet): SkillOffer {
  let made: { readonly set: SkillSet; readonly entries: ReadonlyMap<string, Offered> } | undefined
  const entries = (): ReadonlyMap<string, Offered> => {
    const set = skills()
    if (made?.set !== set) made = { set, entries: offered(set) }
    return made.entries
  }
  return {
    list: () => ({ skills: [...entries().values()].map(({ entry }) => entry as unknown as JsonObject), ...CACHING }),
    get(uri) {
      const found = entries().get(uri)
      return found === undefined ? undefined : { skill: found.entry as unknown as JsonObject, ...CACHING }
    },
    read(uri) {
      for (const { skill, entry, paths } of entries().values()) {
        const path = entry.resources.some((file) => file.uri === uri) ? paths.get(uri) : undefined
        if (path !== undefined) return contentsOf(skill, path, uri)
      }
      return undefined
    },
  }
}

type Offered = { readonly skill: Skill; readonly entry: SkillEntry; readonly paths: ReadonlyMap<string, string> }

function offered({ skills }: SkillSet): ReadonlyMap<string, Offered> {
  const all = new Map<string, Offered>()
  for (const skill of skills) {
    const made = skill.modelVisible ? offerOf(skill) : undefined
    if (made !== undefined) all.set(made.entry.uri, made)
  }
  return all
}

function offerOf(skill: Skill): Offered | undefined {
  const frontmatter = frontmatterOf(skill)
  const names = [skill.file, ...skill.resources]
  if (frontmatter === undefined || skill.file !== 'SKILL.md' || names.length > ENTRY_LIMITS.files) return undefined
  const resources: EntryFile[] = []
  const paths = new Map<string, string>()
  let bytes = 0
  for (const path of names) {
    const read = readInside(skill.folder, path, ENTRY_LIMITS.bytes)
    if (read.kind !== 'read') return undefined
    bytes += read.bytes.length
    if (bytes > ENTRY_LIMITS.bytes) return undefined
    const uri = uriOf(skill.name, path)
    paths.set(uri, path)
    resources.push({
      uri,
      digest: `sha256:${createHash('sha256').update(read.bytes).digest('hex')}`,
      size: read.bytes.length,
    })
  }
  return { skill, entry: { uri: uriOf(skill.name, skill.file), frontmatter, resources }, paths }
}

const uriOf = (name: string, path: string): string =>
  `skill://${encodeURIComponent(name)}/${path.split('/').map(encodeURIComponent).join('/')}`

/** As every YAML reader has it; undefined where one would stumble. */
function frontmatterOf({ folder, file, name }: Skill): JsonObject | undefined {
  const read = readInside(folder, file, ENTRY_LIMITS.bytes)
  if (read.kind !== 'read') return undefined
  const parts = splitFrontmatter(read.bytes.toString('utf8').replaceAll('\r\n', '\n'))
  if (parts.kind !== 'parts' || parts.late) return undefined
  const document = parseDocument(parts.yaml, { logLevel: 'silent' })
  if (document.errors.length > 0) return undefined
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  return isPlainMap(value) && value.name === name && typeof value.description === 'string' ? value : undefined
}

const isPlainMap = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function contentsOf(skill: Skill, path: string, uri: string): JsonObject | undefined {
  const read = readInside(skill.folder, path, ENTRY_LIMITS.bytes)
  if (read.kind !== 'read') return undefined
  const text = read.bytes.toString('utf8')
  const mimeType = MIME_TYPES[extname(path).toLowerCase()]
  const shown = Buffer.from(text).equals(read.bytes) ? { text } : { blob: read.bytes.toString('base64') }
  return { contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), ...shown }] }
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.py': 'text/x-python',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
}

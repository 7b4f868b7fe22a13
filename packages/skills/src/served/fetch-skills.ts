import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { type EntryFile, readEntry, type SkillEntry } from './skill-entry.js'

/** A server that offers skills, as far as it is asked here. */
export type SkillServer = {
  readonly name: string
  request(method: string, params: JsonObject): Promise<JsonObject>
}

export type FetchedSkills = {
  /** Names of the folders below `into`, one a skill. */
  readonly names: readonly string[]
  /** What was refused, one line each. */
  readonly problems: readonly string[]
}

const MAX_PAGES = 100
const MAX_SKILLS = 500

/**
 * Brings the skills of a server into a folder of their own, each file held to the digest and size that the server stated.
 * A version that is there already is not fetched again; what the server no longer offers goes. Throws what the server's
 * list rejects with; a skill that cannot be had is a problem and stops no other.
 */
export async function fetchSkills(server: SkillServer, into: string): Promise<FetchedSkills> {
  mkdirSync(into, { recursive: true })
  const names = new Set<string>()
  const problems: string[] = []
  for (const value of await listed(server)) {
    const entry = readEntry(value)
    if ('refused' in entry) {
      problems.push(`${server.name}: ${entry.refused}.`)
      continue
    }
    try {
      names.add(await fetchOne(server, entry, into))
    } catch (error) {
      problems.push(
        `${server.name}: ${String(entry.frontmatter.name)}: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      )
    }
  }
  for (const name of readdirSync(into)) if (!names.has(name)) rmSync(join(into, name), { recursive: true, force: true })
  return { names: [...names], problems }
}

async function listed(server: SkillServer): Promise<readonly Json[]> {
  const all: Json[] = []
  let cursor: Json | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await server.request('skills/list', cursor === undefined ? {} : { cursor })
    if (Array.isArray(result.skills)) all.push(...(result.skills as readonly Json[]))
    cursor = result.nextCursor
    if (typeof cursor !== 'string' || all.length >= MAX_SKILLS) break
  }
  return all.slice(0, MAX_SKILLS)
}

/** The folder is named by name and digest, so that another version is another folder. */
async function fetchOne(server: SkillServer, entry: SkillEntry, into: string): Promise<string> {
  const folder = folderName(entry)
  const place = join(into, folder)
  if (existsSync(place)) return folder
  const root = entry.uri.slice(0, entry.uri.lastIndexOf('/') + 1)
  const staging = mkdtempSync(join(dirname(into), '.fetching-'))
  try {
    const name = String(entry.frontmatter.name)
    for (const file of entry.resources) {
      const path = join(staging, name, ...pathBelow(root, file.uri))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, await verified(server, file), { flag: 'wx' })
    }
    renameSync(staging, place)
    return folder
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function folderName({ frontmatter, resources }: SkillEntry): string {
  const name = String(frontmatter.name)
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,127}$/u.test(name)) throw new Error('its name cannot be the name of a folder.')
  const hash = createHash('sha256')
  for (const { uri, digest } of resources) hash.update(`${uri}\0${digest}\n`)
  return `${name}-${hash.digest('hex').slice(0, 16)}`
}

/** The parts of a file's path in the skill. An address elsewhere, or one that climbs, is refused. */
function pathBelow(root: string, uri: string): readonly string[] {
  if (!uri.startsWith(root)) throw new Error('a file lies outside of the skill.')
  const parts = uri
    .slice(root.length)
    .split('/')
    .map((part) => decodeURIComponent(part))
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[/\\\p{Cc}]/u.test(part)))
    throw new Error('a file has a path that leaves the skill.')
  return parts
}

async function verified(server: SkillServer, { uri, digest, size }: EntryFile): Promise<Buffer> {
  const { contents } = await server.request('resources/read', { uri })
  const [content] = Array.isArray(contents) ? (contents as readonly Json[]) : []
  if (!isJsonObject(content)) throw new Error(`${uri} cannot be read.`)
  const bytes =
    typeof content.text === 'string' ? Buffer.from(content.text) : Buffer.from(String(content.blob ?? ''), 'base64')
  const came = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  if (bytes.length !== size || came !== digest)
    throw new Error(`${uri} is not what the server stated (digest ${came}); it was not taken.`)
  return bytes
}

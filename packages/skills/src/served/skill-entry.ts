import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/** One file of a skill that is offered over MCP. */
export type EntryFile = { readonly uri: string; readonly digest: string; readonly size: number }

/** A skill as `skills/list` carries it (SEP-2640). */
export type SkillEntry = {
  /** Of its SKILL.md. */
  readonly uri: string
  readonly frontmatter: JsonObject
  /** Every file, SKILL.md among them. */
  readonly resources: readonly EntryFile[]
}

/** The extension under which a server declares that it offers skills. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'
/** What a host must accept of one skill, and a server should not go over. */
export const ENTRY_LIMITS = { files: 512, bytes: 16 * 1024 * 1024 } as const

const DIGEST = /^sha256:[\da-f]{64}$/

/** An entry of `skills/list`, or why it cannot be used. */
export function readEntry(value: Json | undefined): SkillEntry | { readonly refused: string } {
  if (!isJsonObject(value) || typeof value.uri !== 'string') return { refused: 'it has no address' }
  const { uri, frontmatter, resources } = value
  if (!isJsonObject(frontmatter) || typeof frontmatter.name !== 'string')
    return { refused: `${uri} has no frontmatter with a name` }
  if (resources === 'dynamic')
    return { refused: `${frontmatter.name} cannot be verified: its files are made up as they are read` }
  if (!Array.isArray(resources)) return { refused: `${frontmatter.name} has no list of its files` }
  const files: EntryFile[] = []
  let bytes = 0
  for (const file of resources as readonly Json[]) {
    if (!isEntryFile(file)) return { refused: `${frontmatter.name} lists a file without address, digest or size` }
    bytes += file.size
    files.push({ uri: file.uri, digest: file.digest, size: file.size })
  }
  if (files.length > ENTRY_LIMITS.files || bytes > ENTRY_LIMITS.bytes)
    return { refused: `${frontmatter.name} is too large: ${files.length} files, ${bytes} bytes` }
  if (!files.some((file) => file.uri === uri)) return { refused: `${frontmatter.name} does not list its SKILL.md` }
  return { uri, frontmatter, resources: files }
}

const isEntryFile = (value: Json): value is JsonObject & EntryFile =>
  isJsonObject(value) &&
  typeof value.uri === 'string' &&
  typeof value.digest === 'string' &&
  DIGEST.test(value.digest) &&
  typeof value.size === 'number' &&
  Number.isInteger(value.size) &&
  value.size >= 0

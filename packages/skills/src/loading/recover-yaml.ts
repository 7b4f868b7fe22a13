import { parseDocument } from 'yaml'

/** A top-level key, and everything up to the next one. */
type Entry = { readonly key: string; readonly value: string; readonly more: readonly string[] }

const KEY = /^([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*:(?:[ \t]+(.*)|)$/u
const BLOCK_SIGN = /^([|>])[+-]?\d?[+-]?[ \t]*$/

/**
 * The frontmatter with each top-level value in quotes that is no YAML by itself, continued lines folded in. Values that
 * are right stay as they are, so nothing but the broken ones is read differently. Undefined where there is no key.
 */
export function quoteBrokenValues(yaml: string): string | undefined {
  const entries = entriesOf(yaml)
  if (entries.length === 0) return undefined
  return entries.map((entry) => (standsAlone(entry) ? written(entry) : quoted(entry))).join('\n')
}

/** Name and description by pattern, where nothing else helped. The last of a key counts, as everywhere. */
export function nameAndDescription(yaml: string): { readonly name?: string; readonly description?: string } {
  const found: { name?: string; description?: string } = {}
  for (const entry of entriesOf(yaml))
    if (entry.key === 'name' || entry.key === 'description') found[entry.key] = unquoted(plain(entry))
  return found
}

function entriesOf(yaml: string): readonly Entry[] {
  const entries: { key: string; value: string; more: string[] }[] = []
  for (const line of yaml.split('\n')) {
    const match = KEY.exec(line)
    if (match?.[1] !== undefined) entries.push({ key: match[1], value: (match[2] ?? '').trim(), more: [] })
    else entries.at(-1)?.more.push(line)
  }
  return entries
}

const written = ({ key, value, more }: Entry): string => [`${key}: ${value}`, ...more].join('\n')

function standsAlone(entry: Entry): boolean {
  const text = written(entry)
  if (text.length > MAX_ENTRY) return false
  try {
    return parseDocument(text, { uniqueKeys: false, logLevel: 'silent' }).errors.length === 0
  } catch {
    return false
  }
}

const MAX_ENTRY = 16_384

const quoted = (entry: Entry): string => `${entry.key}: ${JSON.stringify(plain(entry))}`

/** The value as its writer saw it: lines folded into one, or kept where `|` asks for it. */
function plain({ value, more }: Entry): string {
  const sign = BLOCK_SIGN.exec(value)?.[1]
  const lines = more.map((line) => line.trim())
  if (sign === '|') return lines.join('\n').trim()
  return [sign === '>' ? '' : value, ...lines].filter((line) => line !== '').join(' ')
}

function unquoted(value: string): string {
  const sign = value[0]
  return value.length > 1 && (sign === '"' || sign === "'") && value.at(-1) === sign ? value.slice(1, -1) : value
}

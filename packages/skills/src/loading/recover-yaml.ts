import { parseDocument } from 'yaml'
import { readPlainFrontmatter } from './plain-frontmatter.js'

/** A top-level key with its value and the indented lines below; or a line that belongs to no key, as it stands. */
type Entry = { readonly key: string | undefined; readonly value: string; readonly more: readonly string[] }

const KEY = /^([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*:(?:[ \t]+(.*)|)$/u
const BLOCK_SIGN = /^([|>])[+-]?\d?[+-]?[ \t]*$/

/**
 * The frontmatter with each top-level value in quotes that is no YAML by itself, continued lines folded in. Values that
 * are right stay as they are, so nothing but the broken ones is read differently. Undefined where there is no key.
 */
export function quoteBrokenValues(yaml: string): string | undefined {
  const entries = entriesOf(yaml)
  if (entries.every(({ key }) => key === undefined)) return undefined
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
  const entries: { key: string | undefined; value: string; more: string[] }[] = []
  for (const line of yaml.split('\n')) {
    const [, key, value = ''] = KEY.exec(line) ?? []
    const last = entries.at(-1)
    if (key !== undefined) entries.push({ key, value: value.trim(), more: [] })
    else if (last?.key !== undefined && /^(?:[ \t]|$)/.test(line)) last.more.push(line)
    else entries.push({ key: undefined, value: line, more: [] })
  }
  return entries
}

const written = ({ key, value, more }: Entry): string =>
  [key === undefined ? value : `${key}: ${value}`, ...more].join('\n')

function standsAlone(entry: Entry): boolean {
  if (entry.key === undefined) return true
  const text = written(entry)
  if (text.length > MAX_ENTRY) return false
  if (readPlainFrontmatter(text, 1) !== undefined) return true
  try {
    return parseDocument(text, { uniqueKeys: false, logLevel: 'silent' }).errors.length === 0
  } catch {
    return false
  }
}

const MAX_ENTRY = 16_384

const quoted = (entry: Entry): string => `${entry.key}: ${JSON.stringify(unquoted(plain(entry)))}`

/** The value as its writer saw it: lines folded into one, or kept where `|` asks for it. */
function plain({ value, more }: Entry): string {
  const sign = BLOCK_SIGN.exec(value)?.[1]
  const lines = more.map((line) => line.trim())
  if (sign === '|') return lines.join('\n').trim()
  return [sign === '>' ? '' : value, ...lines].filter((line) => line !== '').join(' ')
}

/** Quotes around a value whose inner ones broke it: the outer ones were meant as quotes. */
function unquoted(value: string): string {
  const sign = value[0]
  return value.length > 1 && (sign === '"' || sign === "'") && value.at(-1) === sign ? value.slice(1, -1) : value
}

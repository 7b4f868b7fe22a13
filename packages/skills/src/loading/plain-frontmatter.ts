import type { Field, Fields } from './fields.js'

const LINE = /^([A-Za-z][\w-]{0,99}):(?: +(.*?))?[ \t]*$/
const NESTED = /^( +)([A-Za-z][\w-]{0,99}): +(.*?)[ \t]*$/
/** A plain text that no rule of YAML reads as anything else: no `: `, no ` #`, nothing special in front. */
const PLAIN =
  /^(?:[A-Za-z(\u00A1-\u1FFF\u3001-\uD7FF]|\d+\.\d+\.\d)(?:(?!: | #|:$)[^\x00-\x1F\x7F-\x9F\u2028\u2029\uFEFF])*$/
const QUOTED = /^(?:"[^"\\\x00-\x1F\x7F-\x9F\u2028\u2029\uFEFF]*"|'[^'\x00-\x1F\x7F-\x9F\u2028\u2029\uFEFF]*')$/
const WORDS_OF_YAML = /^(?:true|false|null)$/i

/**
 * Reads the frontmatter that most skills have, keys with plain or quoted texts and a map of them, in a small part of
 * the time that a YAML parser takes. Undefined for everything else, and that is for the parser: where this answers, the
 * parser would give the same.
 */
export function readPlainFrontmatter(yaml: string, firstLine: number): Fields | undefined {
  const fields = new Map<string, Field>()
  let map: Record<string, string> | undefined
  let indent = ''
  let open: string | undefined
  for (const [index, line] of yaml.split('\n').entries()) {
    if (line === '') continue
    if (line[0] === ' ') {
      const [, blanks = '', key = '', written = ''] = NESTED.exec(line) ?? []
      const value = textOf(written)
      if (open === undefined || value === undefined || (map !== undefined && blanks !== indent)) return undefined
      indent = blanks
      map ??= {}
      if (Object.hasOwn(map, key)) return undefined
      map[key] = value
      fields.set(open, { value: map, line: fields.get(open)?.line ?? firstLine })
      continue
    }
    const [, key, written] = LINE.exec(line) ?? []
    if (key === undefined || fields.has(key)) return undefined
    map = undefined
    open = written === undefined ? key : undefined
    const value = written === undefined ? null : written[0] === '{' ? jsonOf(written) : textOf(written)
    if (value === undefined) return undefined
    fields.set(key, { value, line: firstLine + index })
  }
  return fields
}

function textOf(written: string): string | undefined {
  if (QUOTED.test(written)) return written.slice(1, -1)
  return PLAIN.test(written) && !WORDS_OF_YAML.test(written) ? written : undefined
}

/**
 * A map on one line as JSON, which many write for other hosts. Only where writing it again gives the same: so no key
 * stands twice and no number is one that YAML reads differently.
 */
function jsonOf(written: string): object | undefined {
  if (!written.endsWith('}') || written.length > MAX_JSON || NOT_PLAIN_JSON.test(written)) return undefined
  try {
    const value: unknown = JSON.parse(written)
    const again = JSON.stringify(value)
    return again === written || again === written.replace(BLANKS_BETWEEN, (_, text: string | undefined) => text ?? '')
      ? (value as object)
      : undefined
  } catch {
    return undefined
  }
}

/** YAML takes no longer text for a key of a map on one line. */
const MAX_JSON = 1_000
const NOT_PLAIN_JSON = /[\\\x00-\x1F\x7F-\x9F\u2028\u2029\uFEFF]/
/** Strings are stepped over whole. */
const BLANKS_BETWEEN = /("[^"]*")|\s+/g

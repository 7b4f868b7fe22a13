import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Findings } from './diagnostic.js'
import type { Field, Fields } from './fields.js'
import { readPlainFrontmatter } from './plain-frontmatter.js'
import { nameAndDescription, quoteBrokenValues } from './recover-yaml.js'

const MAX_ALIASES = 100
/** More than this is no frontmatter; the parser is not fast enough to be asked. */
const MAX_YAML = 65_536

/**
 * The top-level keys of a frontmatter; undefined when nothing can be had from it, and then the findings say why.
 * Never evaluates anything: YAML 1.2 core, no custom tags.
 */
export function readYaml(yaml: string, firstLine: number, findings: Findings): Fields | undefined {
  const simple = yaml.length > MAX_YAML ? undefined : readPlainFrontmatter(yaml, firstLine)
  if (simple !== undefined) return simple
  const conflict = withoutConflictMarkers(yaml)
  if (conflict) findings.add('merge-conflict', conflict.told, firstLine + conflict.line)
  const text = conflict?.text ?? yaml
  const first = parse(text, firstLine)
  if (first.kind === 'fields') {
    if (first.duplicate && !conflict) findings.add('duplicate-key', `${first.duplicate.key}:`, first.duplicate.line)
    if (first.cut !== undefined) findings.add('description-cut-by-comment', undefined, first.cut)
    return first.fields
  }
  if (first.kind === 'aliases') {
    findings.add('yaml-alias-limit', undefined, firstLine)
    return undefined
  }
  return recover(text, first, firstLine, findings)
}

type Wrong = { readonly kind: 'wrong'; readonly reason: string; readonly line: number }
type Parsed =
  | Wrong
  | { readonly kind: 'aliases' }
  | {
      readonly kind: 'fields'
      readonly fields: Fields
      readonly duplicate?: { readonly key: string; readonly line: number }
      /** The line on which a comment cut the description. */
      readonly cut?: number
    }

function recover(text: string, wrong: Wrong, firstLine: number, findings: Findings): Fields | undefined {
  const requoted = quoteBrokenValues(text)
  const second = requoted === undefined ? wrong : readRequoted(requoted, firstLine)
  if (second.kind === 'fields') {
    findings.add('yaml-recovered', `${wrong.reason}.`, wrong.line)
    return second.fields
  }
  const { name, description } = nameAndDescription(text)
  if (description === undefined || description === '') {
    findings.add('yaml-broken', `${wrong.reason}.`, wrong.line)
    return undefined
  }
  findings.add('yaml-recovered', `${wrong.reason}; only name and description could be saved.`, wrong.line)
  const fields = new Map<string, Field>([['description', { value: description, line: firstLine }]])
  if (name !== undefined) fields.set('name', { value: name, line: firstLine })
  return fields
}

function readRequoted(yaml: string, firstLine: number): Parsed {
  const fields = readPlainFrontmatter(yaml, firstLine)
  return fields === undefined ? parse(yaml, firstLine) : { kind: 'fields', fields }
}

function parse(yaml: string, firstLine: number): Parsed {
  if (yaml.length > MAX_YAML) return { kind: 'wrong', reason: 'The frontmatter is too long', line: firstLine }
  const lines = new LineCounter()
  try {
    const document = parseDocument(yaml, { uniqueKeys: false, lineCounter: lines, logLevel: 'silent' })
    const lineAt = (offset: number): number => firstLine + Math.max(1, lines.linePos(offset).line) - 1
    const error = document.errors[0]
    if (error) return { kind: 'wrong', reason: firstSentence(error.message), line: lineAt(error.pos[0]) }
    return fieldsOf(document, yaml, lineAt, firstLine)
  } catch (thrown) {
    // A stack that runs out in deep nesting is a fault of the file like any other.
    return {
      kind: 'wrong',
      reason: thrown instanceof RangeError ? 'It is nested too deep' : 'It cannot be read',
      line: firstLine,
    }
  }
}

function fieldsOf(document: Document, yaml: string, lineAt: (offset: number) => number, firstLine: number): Parsed {
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return { kind: 'fields', fields: new Map() }
  if (!isMap(contents)) return { kind: 'wrong', reason: 'It holds no keys', line: firstLine }
  let plain: unknown
  try {
    plain = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return { kind: 'aliases' }
  }
  if (typeof plain !== 'object' || plain === null) return { kind: 'wrong', reason: 'It holds no keys', line: firstLine }
  const values = new Map<string, unknown>(Object.entries(plain))
  const fields = new Map<string, Field>()
  let cut: number | undefined
  for (const { key, value } of contents.items) {
    const name = String(isScalar(key) ? key.value : key)
    const line = lineAt(rangeStart(key))
    const source = isScalar(value) ? value.source : undefined
    fields.set(name, { value: values.get(name), line, ...(source === undefined ? {} : { source }) })
    if (name === 'description') cut = isCut(value, yaml) ? line : undefined
  }
  const duplicate = duplicateOf(document, lineAt)
  return { kind: 'fields', fields, ...(duplicate ? { duplicate } : {}), ...(cut === undefined ? {} : { cut }) }
}

/** A comment on the line on which a plain value ends: the value was meant to go on. */
function isCut(value: unknown, yaml: string): boolean {
  if (!isScalar(value) || (value.type !== 'PLAIN' && value.type !== undefined)) return false
  const end = value.range?.[1]
  return end !== undefined && /^[ \t]*#/.test(yaml.slice(end, lineEnd(yaml, end)))
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function duplicateOf(
  document: Document,
  lineAt: (offset: number) => number,
): { key: string; line: number } | undefined {
  let found: { key: string; line: number } | undefined
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        const name = String(isScalar(key) ? key.value : key)
        if (seen.has(name)) {
          found = { key: name, line: lineAt(rangeStart(key)) }
          return visit.BREAK
        }
        seen.add(name)
      }
      return undefined
    },
  })
  return found
}

function rangeStart(node: unknown): number {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0
}

/** The parser's message without its picture of the line. */
const firstSentence = (message: string): string => (message.split(/ at line |\n/)[0] ?? message).replace(/[.:]\s*$/, '')

/** Drops the markers, so that both sides are read and the last one counts; says which keys stand on both sides. */
function withoutConflictMarkers(yaml: string): { text: string; line: number; told: string } | undefined {
  if (!/^<{7}(?: |$)/m.test(yaml) && !/^>{7}(?: |$)/m.test(yaml)) return undefined
  const kept: string[] = []
  const keys: string[] = []
  const both = new Set<string>()
  let side = 0
  let line = -1
  for (const [index, text] of yaml.split('\n').entries()) {
    const marker = /^(<{7}|={7}|>{7}|\|{7})(?: |$)/.exec(text)?.[1]?.[0]
    if (marker !== undefined) {
      if (line < 0) line = index
      side = marker === '<' ? 1 : marker === '|' ? 2 : marker === '=' ? 3 : 0
      if (side === 1) keys.length = 0
      continue
    }
    // The common ancestor in a three-way marker is nobody's side.
    if (side === 2) continue
    const key = /^([\w-]+)[ \t]*:/.exec(text)?.[1]
    if (key !== undefined && side === 1) keys.push(key)
    if (key !== undefined && side === 3 && keys.includes(key)) both.add(key)
    kept.push(text)
  }
  const told = both.size === 0 ? 'Both sides were read.' : `Of ${[...both].join(', ')} the lower side was taken.`
  return { text: kept.join('\n'), line, told }
}

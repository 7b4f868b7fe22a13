import { isJsonObject, type Json } from '@tenon/kernel'
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type YAMLMap } from 'yaml'
import { HostError } from '../errors.js'
import type { ConfigIssue, Place } from './config-issue.js'
import type { AnyField } from './field.js'
import { type Environment, interpolate, variablesIn } from './interpolate.js'
import { nearestWord } from './nearest-word.js'
import { readDuration } from './read-duration.js'
import { makeSecret, type Secret } from './secret.js'

/** What a checked node is worth. Secrets stay closed. */
type Value = Json | Secret | readonly Value[] | { readonly [key: string]: Value }

/** What a walk over a document collects. */
export type Walk = {
  readonly document: Document
  readonly lines: LineCounter
  readonly file: string
  readonly environment: Environment
  readonly issues: ConfigIssue[]
  /** Where the value of each key stands: `agents.writer.model`. */
  readonly places: Map<string, Place>
  /** Nodes that may still be looked at: aliases can make a small file endless. */
  left: number
}

type Maybe = Value | undefined

/** The value of a node as its field wants it, or undefined after an issue was noted. */
export function checkNode(walk: Walk, node: Node | null | undefined, field: AnyField, key: string): Maybe {
  const at = node?.range?.[0]
  if (at !== undefined) walk.places.set(key, placeAt(walk, at))
  walk.left--
  if (walk.left < 0)
    return walk.left === -1 ? report(walk, node, key, 'the file grows without end through its aliases') : undefined
  if (isAlias(node)) {
    const target = node.resolve(walk.document)
    if (target === undefined) return report(walk, node, key, `there is no anchor named ${node.source}`)
    return checkNode(walk, target, field, key)
  }
  if (node === null || node === undefined || (isScalar(node) && node.value === null))
    return report(walk, node, key, 'has no value', `Give it ${wanted(field)}, or take the key out.`)
  switch (field.kind) {
    case 'object':
      return checkObject(walk, node, field, key)
    case 'map':
      return checkMap(walk, node, field, key)
    case 'list':
      return checkList(walk, node, field, key)
    case 'json':
      return checkJson(walk, node, field, key)
    default:
      return checkScalar(walk, node, field, key)
  }
}

export function placeAt(walk: Walk, offset: number): Place {
  const { line, col } = walk.lines.linePos(offset)
  return { file: walk.file, line, column: col }
}

function report(walk: Walk, node: Node | null | undefined, key: string, problem: string, fix?: string): undefined {
  const offset = node?.range?.[0]
  const place =
    offset === undefined ? (walk.places.get(key) ?? { file: walk.file, line: 1, column: 1 }) : placeAt(walk, offset)
  walk.issues.push({ place, key, problem, ...(fix === undefined ? {} : { fix }) })
  return undefined
}

type Kind<K extends AnyField['kind']> = Extract<AnyField, { kind: K }>

/** The pairs of a mapping whose keys are plain text; others are reported. */
function* pairs(walk: Walk, node: YAMLMap, key: string): Generator<[name: string, at: Node, value: Node | null]> {
  const seen = new Set<string>()
  for (const pair of node.items) {
    const at = pair.key as Node
    const name = isScalar(at) ? String(at.value) : undefined
    if (name === undefined || name === '<<') {
      report(walk, at, key, name === '<<' ? 'merge keys are not read' : 'a key must be plain text')
      continue
    }
    const inside = key === '' ? name : `${key}.${name}`
    if (seen.has(name)) {
      report(walk, at, inside, 'this key stands here twice', 'Keep one of the two.')
      continue
    }
    seen.add(name)
    walk.places.set(inside, placeAt(walk, at.range?.[0] ?? 0))
    yield [name, at, pair.value as Node | null]
  }
}

function checkObject(walk: Walk, node: Node, field: Kind<'object'>, key: string): Maybe {
  if (!isMap(node)) return mismatch(walk, node, field, key)
  const known = Object.keys(field.fields)
  const value: Record<string, Value> = {}
  const present = new Set<string>()
  for (const [name, at, inner] of pairs(walk, node, key)) {
    const wantedField = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
    const inside = key === '' ? name : `${key}.${name}`
    if (wantedField === undefined) {
      const near = nearestWord(name, known)
      report(
        walk,
        at,
        inside,
        'unknown key',
        near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${near}"?`,
      )
      // A mistyped required key is one mistake, not two.
      if (near !== undefined) present.add(near)
      continue
    }
    present.add(name)
    const checked = checkNode(walk, inner, wantedField, inside)
    if (checked !== undefined) value[name] = checked
  }
  for (const name of field.required)
    if (!present.has(name)) report(walk, node, key, `"${name}" is missing`, field.fields[name]?.doc)
  const choices = field.oneOf?.filter((name) => present.has(name))
  if (choices !== undefined && choices.length !== 1)
    return report(
      walk,
      node,
      key,
      choices.length === 0
        ? 'says neither what to allow, nor to ask, nor to deny'
        : `has ${choices.join(' and ')} at once`,
      `Write exactly one of ${field.oneOf?.join(', ')}.`,
    )
  return value
}

function checkMap(walk: Walk, node: Node, field: Kind<'map'>, key: string): Maybe {
  if (!isMap(node)) return mismatch(walk, node, field, key)
  const entries: [string, Value][] = []
  for (const [name, at, inner] of pairs(walk, node, key)) {
    const inside = `${key}.${name}`
    if (!/^[\w.\-+/:]{1,64}$/.test(name) || name === '__proto__') {
      report(walk, at, inside, 'cannot be used as a name', 'Use letters, digits, dots, dashes and underscores.')
      continue
    }
    const checked = checkNode(walk, inner, field.value, inside)
    if (checked !== undefined) entries.push([name, checked])
  }
  return Object.fromEntries(entries)
}

function checkList(walk: Walk, node: Node, field: Kind<'list'>, key: string): Maybe {
  if (!isSeq(node)) return mismatch(walk, node, field, key)
  const values: Value[] = []
  for (const [index, item] of node.items.entries()) {
    const checked = checkNode(walk, item as Node | null, field.item, `${key}[${index}]`)
    if (checked !== undefined) values.push(checked)
  }
  return values
}

function checkJson(walk: Walk, node: Node, field: Kind<'json'>, key: string): Maybe {
  let value: unknown
  try {
    value = node.toJS(walk.document, { maxAliasCount: 50 })
  } catch {
    return report(walk, node, key, 'grows without end through its aliases')
  }
  return isJsonObject(value) ? value : mismatch(walk, node, field, key)
}

const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  y: true,
  off: false,
  no: false,
  n: false,
}

function checkScalar(walk: Walk, node: Node, field: AnyField, key: string): Maybe {
  if (!isScalar(node)) return mismatch(walk, node, field, key)
  const { value } = node
  switch (field.kind) {
    case 'text': {
      if (typeof value !== 'string') return mismatch(walk, node, field, key, quoteIt(value))
      const filled = field.interpolate ? fill(walk, node, key, value) : value
      if (filled === undefined) return undefined
      if (field.pattern !== undefined && !new RegExp(field.pattern.source, 'u').test(filled))
        return report(walk, node, key, `must be ${field.pattern.means}`)
      return filled
    }
    case 'secret':
      if (typeof value !== 'string') return mismatch(walk, node, field, key, 'Put it into quotes.')
      return secretOf(walk, node, key, value)
    case 'choice': {
      if (typeof value === 'string' && field.values.includes(value)) return value
      const near = typeof value === 'string' ? nearestWord(value, field.values) : undefined
      const all = field.values.join(', ')
      return report(
        walk,
        node,
        key,
        `must be one of ${all}`,
        near === undefined ? undefined : `Did you mean "${near}"?`,
      )
    }
    case 'flag': {
      if (typeof value === 'boolean') return value
      const meant = typeof value === 'string' ? BOOLEAN_WORDS[value.toLowerCase()] : undefined
      return mismatch(walk, node, field, key, meant === undefined ? undefined : `Write ${meant}.`)
    }
    case 'number': {
      const filled = typeof value === 'string' && value.includes('${') ? fill(walk, node, key, value) : value
      if (filled === undefined) return undefined
      const counted = typeof filled === 'string' && filled.trim() !== '' ? Number(filled) : filled
      if (typeof counted !== 'number' || !Number.isFinite(counted)) return mismatch(walk, node, field, key)
      if (field.integer && !Number.isInteger(counted)) return report(walk, node, key, 'must be a whole number')
      if (counted < field.min || counted > field.max)
        return report(walk, node, key, `must be between ${field.min} and ${field.max}`)
      return counted
    }
    case 'duration': {
      const ms = typeof value === 'string' ? readDuration(value) : undefined
      return ms ?? mismatch(walk, node, field, key)
    }
    default:
      return mismatch(walk, node, field, key)
  }
}

function fill(walk: Walk, node: Node, key: string, source: string): string | undefined {
  const filled = interpolate(source, walk.environment)
  if (filled.ok) return filled.text
  for (const name of filled.missing)
    report(walk, node, key, `the variable ${name} is not set`, `Set it, or give a default: \${${name}:-…}.`)
  if (filled.malformed.length > 0)
    report(walk, node, key, `a variable must be written \${NAME} or \${NAME:-default}`, `For a literal \${ write $\${.`)
  return undefined
}

function secretOf(walk: Walk, node: Node, key: string, source: string): Secret | undefined {
  const filled = interpolate(source, walk.environment)
  if (!filled.ok && filled.malformed.length > 0) return void fill(walk, node, key, source)
  const { file, line, column } = placeAt(walk, node.range?.[0] ?? 0)
  return makeSecret(variablesIn(source), () => {
    const now = interpolate(source, walk.environment)
    if (now.ok) return now.text
    throw new HostError(
      'config-secret-missing',
      `${file}:${line}:${column} ${key} needs the variable ${now.missing.join(', ')}, which is not set. Set it and try again.`,
      { detail: { missing: now.missing } },
    )
  })
}

const quoteIt = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? `Put it into quotes: "${value}".` : undefined

function mismatch(walk: Walk, node: Node, field: AnyField, key: string, fix?: string): undefined {
  return report(walk, node, key, `must be ${wanted(field)}, not ${found(node)}`, fix)
}

function wanted(field: AnyField): string {
  switch (field.kind) {
    case 'object':
      return `a mapping with ${Object.keys(field.fields).slice(0, 6).join(', ')}`
    case 'map':
      return `a mapping of ${field.keys} to ${wanted(field.value)}`
    case 'list':
      return 'a list'
    case 'json':
      return 'a mapping'
    case 'choice':
      return `one of ${field.values.join(', ')}`
    case 'flag':
      return 'true or false'
    case 'number':
      return field.integer ? 'a whole number' : 'a number'
    case 'duration':
      return 'a time such as 500ms, 30s, 5m, 2h or 30d'
    default:
      return 'text'
  }
}

function found(node: Node): string {
  if (isMap(node)) return 'a mapping'
  if (isSeq(node)) return 'a list'
  if (isScalar(node) && typeof node.value === 'number') return foundNumber(node.value)
  if (isScalar(node) && typeof node.value === 'boolean') return 'true or false'
  return 'text'
}

/** Its kind and no more: it may be a secret. */
function foundNumber(value: number): string {
  if (Number.isFinite(value)) return 'a number'
  return Number.isNaN(value) ? 'a NaN' : 'an endless one'
}

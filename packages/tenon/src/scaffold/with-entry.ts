import { type Document, isMap, isScalar, LineCounter, parseDocument, stringify, type YAMLMap } from 'yaml'
import { HostError } from '../errors.js'
import type { ConfigEntry } from './joint.js'

/**
 * The text of a configuration with one entry more. What stands there stays as it was written, comments included.
 * @throws HostError `usage` when the entry is there already, or the file cannot be added to
 */
export function withEntry(source: string, { path, value }: ConfigEntry): string {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) throw new HostError('usage', `tenon.yaml is no YAML: ${error.message}`)
  if (document.hasIn(path))
    throw new HostError('usage', `${path.join('.')} stands in tenon.yaml already and was left as it is.`)
  const depth = deepest(document, path)
  const map = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true)
  const rest = path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  if (map === null) return appended(source, stringify(rest, FORM))
  if (!isMap(map)) throw new HostError('usage', `${path.slice(0, depth).join('.') || 'tenon.yaml'} is no mapping.`)
  const last = map.items.at(-1)
  if (last === undefined || map.flow) {
    document.setIn(path, value)
    return document.toString({ lineWidth: 0 })
  }
  const indent = ' '.repeat(columnOf(map, lines))
  const block = stringify(rest, FORM).replace(/^(?=.)/gm, indent)
  const at = endOf(last.value, last.key, source)
  const before = source.slice(0, at)
  return `${before}${before.endsWith('\n') ? '' : '\n'}${block}${source.slice(at)}`
}

const FORM = { lineWidth: 100, flowCollectionPadding: true } as const

const appended = (source: string, block: string): string =>
  source.trim() === '' ? `${source}${block}` : `${source.replace(/\n*$/, '\n\n')}${block}`

/** How many keys of the path lead into mappings that are there. */
function deepest(document: Document, path: readonly string[]): number {
  let depth = 0
  while (depth < path.length - 1 && isMap(document.getIn(path.slice(0, depth + 1), true))) depth++
  return depth
}

function columnOf(map: YAMLMap, lines: LineCounter): number {
  const [first] = map.items
  const start = isScalar(first?.key) ? (first.key.range?.[0] ?? 0) : 0
  return lines.linePos(start).col - 1
}

/** Behind the line on which the last entry of a mapping ends. */
function endOf(value: unknown, key: unknown, source: string): number {
  const range = (value as { range?: readonly number[] } | null)?.range ?? (key as { range?: readonly number[] }).range
  // A block ends where the next line begins, a word where it ends.
  const end = Math.max(0, (range?.[1] ?? source.length) - 1)
  const line = source.indexOf('\n', end)
  return line === -1 ? source.length : line + 1
}

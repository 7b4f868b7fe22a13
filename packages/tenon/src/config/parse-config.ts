import { LineCounter, type Node, parseDocument } from 'yaml'
import { checkNode, placeAt, type Walk } from './check-node.js'
import { checkReferences, type KnownNames } from './check-references.js'
import type { ConfigIssue } from './config-issue.js'
import { CONFIG_TABLE, type TenonConfig } from './config-table.js'
import type { Environment } from './interpolate.js'

const MAX_NODES = 100_000
const MAX_ISSUES = 20

export type ParsedConfig =
  | { readonly ok: true; readonly config: TenonConfig }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] }

/** Reads the text of a configuration. `file` is how the user knows it; issues come in the order of the file. */
export function parseConfig(source: string, file: string, environment: Environment, known: KnownNames): ParsedConfig {
  const lines = new LineCounter()
  let document: ReturnType<typeof parseDocument>
  try {
    // Duplicate keys are found by the walk, which can name them and go on.
    document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  } catch {
    return { ok: false, issues: [{ place: { file, line: 1, column: 1 }, key: '', problem: 'is nested too deeply' }] }
  }
  const walk: Walk = { document, lines, file, environment, issues: [], places: new Map(), left: MAX_NODES }
  for (const error of document.errors)
    walk.issues.push({ place: placeAt(walk, error.pos[0]), key: '', ...explain(error.code, error.message) })
  for (const warning of document.warnings)
    walk.issues.push({
      place: placeAt(walk, warning.pos[0]),
      key: '',
      problem: 'this tag is not known',
      fix: 'Take it out.',
    })
  if (walk.issues.length > 0) return { ok: false, issues: walk.issues.slice(0, MAX_ISSUES) }
  if (document.contents === null) return { ok: true, config: {} }

  const config = checkNode(walk, document.contents as Node, CONFIG_TABLE, '') as TenonConfig | undefined
  if (config !== undefined && walk.issues.length === 0) checkReferences(config, walk, known)
  if (config === undefined || walk.issues.length > 0)
    return { ok: false, issues: walk.issues.sort(byPlace).slice(0, MAX_ISSUES) }
  return { ok: true, config }
}

const byPlace = (a: ConfigIssue, b: ConfigIssue): number =>
  a.place.line - b.place.line || a.place.column - b.place.column

function explain(code: string, message: string): { problem: string; fix?: string } {
  switch (code) {
    case 'TAB_AS_INDENT':
      return { problem: 'a tab is used to indent', fix: 'Use spaces.' }
    case 'MULTIPLE_DOCS':
      return { problem: 'a second document begins here', fix: 'Take out the line of dashes.' }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { problem: 'a colon stands inside a value', fix: 'Put the value into quotes, or begin a new line.' }
    default:
      return { problem: `is not YAML: ${message.replace(/[.\s]+$/, '')}` }
  }
}

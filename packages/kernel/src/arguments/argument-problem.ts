import type { ArgumentProblem } from '../content/block.js'
import type { SchemaProblem } from '../ports/schema.js'
import type { JsonFault } from './json-reader.js'
import type { Shape } from './schema-shape.js'
import { fieldsInWords } from './schema-shape.js'

/** The codes of an ArgumentProblem. Stable; the message is for the model and says what to do. */
export type ArgumentProblemCode =
  | 'empty-output'
  | 'thought-only'
  | 'malformed-call'
  | 'unknown-tool'
  | 'ambiguous-tool'
  | 'missing-action-input'
  | 'positional-mismatch'
  | 'invalid-json'
  | 'truncated-output'
  | 'text-around-json'
  | 'multiple-values'
  | 'duplicate-key'
  | 'unsafe-number'
  | 'not-an-object'
  | 'schema-mismatch'

export function argumentProblem(
  code: ArgumentProblemCode,
  position: number | null,
  message: string,
): ArgumentProblem & { readonly code: ArgumentProblemCode } {
  return { code, position, message: position === null ? message : `${message} (position ${position})` }
}

const FAULTS: Readonly<Record<JsonFault['reason'], string>> = {
  token: 'this character does not belong here',
  escape: 'this is no valid escape. Write a backslash as \\\\ and a quote as \\"',
  control: 'a raw control character stands in a string. Write it as an escape',
  depth: 'it is nested too deeply',
  end: '',
}

export function faultProblem(fault: JsonFault): ArgumentProblem {
  const field = fault.field === null ? '' : ` in the field "${fault.field}"`
  if (fault.code === 'truncated-output') return truncated(fault.position, field)
  return argumentProblem('invalid-json', fault.position, `Invalid JSON${field}: ${FAULTS[fault.reason]}`)
}

export function truncated(position: number, where = ''): ArgumentProblem {
  return argumentProblem(
    'truncated-output',
    position,
    `The output was cut off${where} before the call was complete. Nothing was run. Write the whole call again, with shorter arguments if it is long`,
  )
}

export function duplicateKey(key: string, position: number): ArgumentProblem {
  return argumentProblem('duplicate-key', position, `The key "${key}" stands twice. Give it once`)
}

export function unsafeNumber(field: string | null, digits: string, position: number): ArgumentProblem {
  const where = field === null ? '' : ` in the field "${field}"`
  return argumentProblem('unsafe-number', position, `The number ${digits}${where} cannot be held without rounding`)
}

export function notAnObject(shape: Shape, position: number): ArgumentProblem {
  const fields = fieldsInWords(shape)
  return argumentProblem('not-an-object', position, `The arguments must be one JSON object. Its fields: ${fields}`)
}

export function textAroundJson(position: number): ArgumentProblem {
  return argumentProblem(
    'text-around-json',
    position,
    'Text stands around the JSON. Give one JSON object and nothing else',
  )
}

export function multipleValues(position: number): ArgumentProblem {
  return argumentProblem(
    'multiple-values',
    position,
    'A second JSON value follows. Give the arguments of one call only',
  )
}

export function schemaMismatch(
  tool: string,
  shape: Shape,
  problems: readonly SchemaProblem[],
  forbidden: readonly string[],
): ArgumentProblem {
  const found = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const extra = forbidden.map((key) => `"${key}" is not a field`)
  const all = [...found, ...extra].join('; ')
  return argumentProblem(
    'schema-mismatch',
    null,
    `The arguments do not fit ${tool}: ${all}. Its fields: ${fieldsInWords(shape)}`,
  )
}

export function unknownTool(written: string, offered: readonly string[], position: number | null): ArgumentProblem {
  const list = offered.length === 0 ? 'No tool is offered' : `Offered are: ${offered.join(', ')}`
  const name = written.length > 200 ? `${written.slice(0, 200)}…` : written
  return argumentProblem('unknown-tool', position, `There is no tool "${name}". ${list}`)
}

export function ambiguousTool(written: string, fits: readonly string[], position: number | null): ArgumentProblem {
  return argumentProblem(
    'ambiguous-tool',
    position,
    `"${written}" may be any of ${fits.join(', ')}. Write the exact name`,
  )
}

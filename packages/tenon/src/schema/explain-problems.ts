import type { Json, SchemaProblem } from '@tenon/kernel'
import type { ErrorObject } from 'ajv'
import { escapeKey } from './schema-bounds.js'

const MOST_PROBLEMS = 8
const MOST_VALUES = 20

/** What ajv found, in words that a model can act on: at most eight, each with the place and what would be right. */
export function explainProblems(errors: readonly ErrorObject[]): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const seen = new Set<string>()
  for (const error of withoutBranches(errors)) {
    const problem = explain(error)
    const key = `${problem.path} ${problem.message}`
    if (seen.has(key)) continue
    seen.add(key)
    problems.push(problem)
  }
  if (problems.length <= MOST_PROBLEMS) return problems
  const rest = problems.length - MOST_PROBLEMS
  return [...problems.slice(0, MOST_PROBLEMS), { path: '', message: `has ${rest} more problems` }]
}

/**
 * A failed `anyOf` reports the problems of every branch and then itself. Only the branch that came nearest says
 * something useful: the one whose problems lie deepest, if there is one.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if ((error.keyword !== 'anyOf' && error.keyword !== 'oneOf') || error.params.passingSchemas) {
      kept.push(error)
      continue
    }
    const branches: ErrorObject[] = []
    while (kept.length > 0 && isInside(kept[kept.length - 1], error)) branches.unshift(kept.pop() as ErrorObject)
    const deeper = branches.filter((branch) => branch.instancePath !== error.instancePath || isAboutKeys(branch))
    kept.push(...(deeper.length > 0 ? deeper : [{ ...error, params: { branches } }]))
  }
  return kept
}

function isInside(inner: ErrorObject | undefined, outer: ErrorObject): boolean {
  if (inner === undefined || inner.parentSchema === outer.parentSchema) return false
  if (inner.instancePath !== outer.instancePath && !inner.instancePath.startsWith(`${outer.instancePath}/`))
    return false
  if (inner.schemaPath.startsWith(`${outer.schemaPath}/`)) return true
  // A branch that is a reference reports under its definition's own root, which looks like the root of the schema.
  const owner = outer.schemaPath.slice(0, outer.schemaPath.lastIndexOf('/'))
  return !inner.schemaPath.startsWith(owner === '#' ? '#/allOf/' : `${owner}/`)
}

const isAboutKeys = (error: ErrorObject): boolean =>
  ['required', 'additionalProperties', 'unevaluatedProperties', 'enum', 'const', 'pattern', 'format'].includes(
    error.keyword,
  )

function explain(error: ErrorObject): SchemaProblem {
  const path = error.instancePath
  const { params } = error
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: `${path}/${escapeKey(params.missingProperty)}`, message: 'is missing' }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra: string = params.additionalProperty ?? params.unevaluatedProperty
      return { path: `${path}/${escapeKey(extra)}`, message: `is not a known key${allowedKeys(error)}` }
    }
    case 'type':
      return { path, message: `must be ${wanted(params.type)}, is ${kindOf(error.data)}` }
    case 'enum':
      return { path, message: `must be one of ${values(params.allowedValues)}` }
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` }
    case 'anyOf':
    case 'oneOf':
      return { path, message: explainChoice(error) }
    case 'format':
      return { path, message: `must have the format ${params.format}` }
    case 'pattern':
      return { path, message: `must match the pattern ${params.pattern}` }
    default:
      return { path, message: plainer(error.message ?? `fails ${error.keyword}`) }
  }
}

function explainChoice(error: ErrorObject): string {
  if (error.params.passingSchemas) return `fits more than one of the allowed shapes, must fit exactly one`
  const branches: readonly ErrorObject[] = error.params.branches ?? []
  const messages = [...new Set(branches.map((branch) => explain(branch).message))]
  if (messages.length === 0) return 'fits none of the allowed shapes'
  const types = branches.filter((branch) => branch.keyword === 'type')
  if (types.length === branches.length)
    return `must be ${types.map((branch) => wanted(branch.params.type)).join(' or ')}, is ${kindOf(error.data)}`
  return messages.slice(0, 4).join(', or ')
}

function allowedKeys(error: ErrorObject): string {
  const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
  if (known.length === 0) return ''
  const shown = known.slice(0, MOST_VALUES).join(', ')
  return `; known keys: ${shown}${known.length > MOST_VALUES ? ' …' : ''}`
}

function values(allowed: readonly Json[]): string {
  const shown = allowed.slice(0, MOST_VALUES).map((value) => JSON.stringify(value))
  return shown.join(', ') + (allowed.length > MOST_VALUES ? ` … (${allowed.length} in all)` : '')
}

const wanted = (type: string | readonly string[]): string => (typeof type === 'string' ? type : type.join(' or '))

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`
  return `${typeof value} ${String(value)}`
}

const plainer = (message: string): string =>
  message
    .replace('must NOT have fewer than', 'must have at least')
    .replace('must NOT have more than', 'must have at most')

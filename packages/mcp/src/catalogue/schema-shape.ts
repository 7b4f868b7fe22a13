import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const ONE = ['items', 'contains', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames']
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const MAX_NODES = 20_000

/**
 * What makes a schema unusable, found without compiling it: a catalogue of hundreds is read at once, and most of its
 * tools are never called. References may lead into the schema itself only; nothing is ever fetched.
 */
export function schemaFault(schema: JsonObject): string | undefined {
  let left = MAX_NODES
  const visit = (node: Json | undefined, path: string, depth: number): string | undefined => {
    if (node === undefined || typeof node === 'boolean') return undefined
    if (!isJsonObject(node)) return `${path || '/'} is no schema`
    if (--left < 0) return 'it is too large'
    if (depth > 100) return 'it is nested too deeply'
    const own = typeFault(node.type) ?? refFault(node.$ref, schema)
    if (own !== undefined) return `${path || '/'}: ${own}`
    for (const key of ONE) {
      if (Array.isArray(node[key])) continue
      const fault = visit(node[key], `${path}/${key}`, depth + 1)
      if (fault !== undefined) return fault
    }
    for (const key of LISTS) {
      const list = node[key]
      if (!Array.isArray(list)) continue
      for (const [index, child] of list.entries()) {
        const fault = visit(child, `${path}/${key}/${index}`, depth + 1)
        if (fault !== undefined) return fault
      }
    }
    for (const key of MAPS) {
      const map = node[key]
      if (map === undefined) continue
      if (!isJsonObject(map)) return `${path}/${key} is no object`
      for (const [name, child] of Object.entries(map)) {
        const fault = visit(child, `${path}/${key}/${name}`, depth + 1)
        if (fault !== undefined) return fault
      }
    }
    return undefined
  }
  return visit(schema, '', 0)
}

function typeFault(type: Json | undefined): string | undefined {
  if (type === undefined) return undefined
  const types = Array.isArray(type) ? type : [type]
  const unknown = types.find((one) => typeof one !== 'string' || !TYPES.has(one))
  return unknown === undefined ? undefined : `${JSON.stringify(unknown)} is no type`
}

function refFault(ref: Json | undefined, root: JsonObject): string | undefined {
  if (ref === undefined || ref === '#') return undefined
  if (typeof ref !== 'string') return '$ref is no text'
  if (!ref.startsWith('#')) return 'a reference leads out of the schema'
  if (!ref.startsWith('#/')) return undefined
  let node: Json | undefined = root
  for (const part of ref.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    node = Array.isArray(node) ? node[Number(key)] : isJsonObject(node) ? node[key] : undefined
  }
  return node === undefined ? `${ref} leads nowhere` : undefined
}

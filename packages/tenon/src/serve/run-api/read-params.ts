import type { IncomingMessage } from 'node:http'
import type { Json, JsonObject } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import { ajvCompiler } from '../../schema/ajv-compiler.js'
import type { Route } from './route.js'

/**
 * What a request says beside its body, by the names and in the types of its route.
 * @throws HostError `request-invalid` with the places
 */
export async function readParams(
  { params = {} }: Route,
  inPath: Readonly<Record<string, string>>,
  query: URLSearchParams,
  request: IncomingMessage,
): Promise<JsonObject> {
  const found: Record<string, Json> = {}
  for (const [name, { in: place, schema }] of Object.entries(params)) {
    const header = request.headers[name]
    const written = place === 'path' ? inPath[name] : place === 'query' ? onlyOne(query, name) : header
    if (typeof written === 'string') found[name] = typed(written, schema)
  }
  for (const name of query.keys())
    if (params[name]?.in !== 'query')
      throw new HostError('request-invalid', `There is no parameter ${JSON.stringify(name.slice(0, 50))} here.`)
  const checked = await schemaOf(params).check(found)
  if (checked.ok) return found
  const told = checked.problems.map(({ path, message }) => `${path.slice(1)} ${message}`)
  throw new HostError('request-invalid', `The request is not as described: ${told.join('; ')}.`)
}

/** Said twice it is nothing: neither the first nor the last one counts silently. */
function onlyOne(query: URLSearchParams, name: string): string | undefined {
  const all = query.getAll(name)
  if (all.length > 1) throw new HostError('request-invalid', `The parameter ${name} stands twice.`)
  return all[0]
}

function typed(written: string, schema: JsonObject): Json {
  if (schema.type === 'integer') return /^-?\d{1,15}$/.test(written) ? Number(written) : written
  return schema.type === 'array' ? written.split(',') : written
}

function schemaOf(params: NonNullable<Route['params']>) {
  const inPath = Object.entries(params).filter(([, param]) => param.in === 'path')
  return ajvCompiler({
    type: 'object',
    properties: Object.fromEntries(Object.entries(params).map(([name, { schema }]) => [name, schema])),
    required: inPath.map(([name]) => name),
  })
}

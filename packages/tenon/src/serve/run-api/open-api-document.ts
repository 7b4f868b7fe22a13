import type { Json, JsonObject } from '@tenon/kernel'
import { TENON_VERSION } from '../../version.js'
import type { Route } from './route.js'
import { SCHEMAS } from './schemas.js'

/** The run API in OpenAPI 3.1, made of the table that the server works by. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tenon run API',
      version: TENON_VERSION,
      description: [
        'Runs of a Tenon host: submit, follow, answer, fork, cancel.',
        'A run that is not yours answers 404. Request bodies are application/json and nothing else.',
        'Times are epoch milliseconds. Ids never change. Clients must bear members and kinds that they do not know.',
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: paths(routes),
    components: {
      schemas: SCHEMAS,
      responses: {
        Error: { description: 'What went wrong.', content: json('Error') },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of serve.access. Not asked for where it is empty.',
        },
      },
    },
  }
}

function paths(routes: readonly Route[]): JsonObject {
  const found: Record<string, Record<string, JsonObject>> = {}
  for (const route of routes) {
    found[route.path] ??= {}
    Object.assign(found[route.path] ?? {}, { [route.method.toLowerCase()]: operation(route) })
  }
  return found
}

function operation({ name, about, scope, params = {}, body, answers }: Route): JsonObject {
  return {
    operationId: name,
    summary: about.split(/(?<=\.) /)[0] ?? about,
    description: scope === undefined ? about : `${about} Needs the scope ${scope}.`,
    security: scope === undefined ? [] : [{ bearer: [scope] }, {}],
    ...(Object.keys(params).length === 0 ? {} : { parameters: parameters(params) }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer)])),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const parameters = (params: NonNullable<Route['params']>): readonly JsonObject[] =>
  Object.entries(params).map(([name, { in: place, schema, about }]) => ({
    name,
    in: place,
    description: about,
    schema,
    ...(place === 'path' ? { required: true } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }))

function response({ about, schema, type }: Route['answers'][number]): JsonObject {
  if (schema !== undefined) return { description: about, content: json(schema) }
  return { description: about, ...(type === undefined ? {} : { content: { [type]: { schema: { type: 'string' } } } }) }
}

const json = (schema: string): Record<string, Json> => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})

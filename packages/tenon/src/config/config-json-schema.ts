import type { JsonObject } from '@tenon/kernel'
import { CONFIG_TABLE } from './config-table.js'
import type { AnyField } from './field.js'

/** JSON Schema (draft-07, which editors read) of `tenon.yaml`, made from the table that checks it. */
export function configJsonSchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'tenon.yaml',
    ...schemaOf(CONFIG_TABLE),
  }
}

/** Numbers and flags may also be taken from the environment. */
const VARIABLE = { type: 'string', pattern: '^\\$\\{' }

function schemaOf(field: AnyField): JsonObject {
  const about = {
    description: field.doc,
    ...(field.examples === undefined ? {} : { examples: field.examples }),
  }
  switch (field.kind) {
    case 'text':
      return field.pattern === undefined
        ? { ...about, type: 'string' }
        : {
            ...about,
            type: 'string',
            anyOf: [{ pattern: field.pattern.source }, ...(field.interpolate ? [{ pattern: '\\$\\{' }] : [])],
          }
    case 'secret':
      return { ...about, type: 'string' }
    case 'choice':
      return { ...about, enum: field.values }
    case 'flag':
      return { ...about, type: 'boolean' }
    case 'number':
      return {
        ...about,
        anyOf: [{ type: field.integer ? 'integer' : 'number', minimum: field.min, maximum: field.max }, VARIABLE],
      }
    case 'duration':
      return { ...about, type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*$' }
    case 'list':
      return { ...about, type: 'array', items: schemaOf(field.item) }
    case 'map':
      return {
        ...about,
        type: 'object',
        propertyNames: { pattern: '^[\\w.\\-+/:]{1,64}$' },
        additionalProperties: schemaOf(field.value),
      }
    case 'json':
      return { ...about, type: 'object' }
    case 'object':
      return {
        ...about,
        type: 'object',
        properties: Object.fromEntries(Object.entries(field.fields).map(([name, inner]) => [name, schemaOf(inner)])),
        additionalProperties: false,
        ...(field.required.length === 0 ? {} : { required: field.required }),
        ...(field.oneOf === undefined ? {} : { oneOf: field.oneOf.map((name) => ({ required: [name] })) }),
      }
  }
}

import { text } from '../../src/content/block.js'
import type { Json, JsonObject } from '../../src/content/json.js'
import type { Schema } from '../../src/ports/schema.js'
import type { CallContext, HandResult, Tool } from '../../src/ports/tool.js'

/** Takes any object. */
const anyObject: Schema = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }

/** Takes an object with these members, all texts. */
export const texts = (...names: readonly string[]): Schema => ({
  json: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  },
  check(value) {
    const problems = names
      .filter((name) => typeof (value as JsonObject)[name] !== 'string')
      .map((name) => ({ path: `/${name}`, message: 'must be a text' }))
    return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
  },
})

export const result = (value: Json): HandResult => ({
  kind: 'result',
  content: [text(typeof value === 'string' ? value : JSON.stringify(value))],
  value,
})

export function testTool(
  name: string,
  run: Tool['run'] | ((args: JsonObject, context: CallContext) => Json),
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: `${name} for tests`,
    input: anyObject,
    effect: 'pure',
    origin: { kind: 'function', name: 'tests' },
    trust: 'vetted',
    run: run as Tool['run'],
    ...more,
  }
}

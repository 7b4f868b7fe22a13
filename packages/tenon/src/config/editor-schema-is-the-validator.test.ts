// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration writes variables like this
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Ajv as AjvClass } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configJsonSchema } from './config-json-schema.js'
import { parseConfig } from './parse-config.js'

const { Ajv } = createRequire(import.meta.url)('ajv') as { Ajv: typeof AjvClass }

test('the schema that is shipped for editors is made from the table', () => {
  const shipped = readFileSync(new URL('../../schema/tenon.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(shipped), 'write it anew: node scripts/write-config-schema.mjs').toEqual(configJsonSchema())
})

const fits = new Ajv({ strict: false }).compile(configJsonSchema())
const known = { tools: ['read_file'], providers: ['openai'], keyed: ['openai'] }

test.each([
  'agents: { a: { model: openai/gpt-5, tools: [read_file], limits: { wall: 5m, steps: 3 } } }',
  'policy: { otherwise: ask, rules: [{ allow: read_file, args: { /path: "docs/*" } }] }',
  'models: { m: { provider: openai, apiKey: "${KEY}", contextWindow: 8000 } }',
  'agents: { a: { modle: x } }',
  'policy: { rules: [{ allow: a, deny: b }] }',
  'policy: { rules: [{ reason: a }] }',
  'models: { m: { model: x } }',
  'agents: { a: { limits: { steps: 0 } } }',
  'agents: { a: { limits: { wall: 5 } } }',
  'agents: { a: { instructions: maybe } }',
  'tools: { builtin: { read_file: "yes" } }',
  'agents: [a]',
])('editor and validator say the same about: %s', (source) => {
  expect(fits(parse(source))).toBe(parseConfig(source, 'tenon.yaml', { KEY: 'x' }, known).ok)
})

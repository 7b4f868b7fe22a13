import type { JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { openaiChat } from '../openai-chat/openai-chat.js'
import { geminiSchema } from './gemini-schema.js'
import { objectRoot } from './object-root.js'

const text = { type: 'string' }

test('a root that is an object is left alone', () => {
  const schema: JsonObject = { type: 'object', properties: { a: { anyOf: [text, { type: 'null' }] } } }
  expect(objectRoot(schema)).toBe(schema)
})

test('alternatives at the root become one object that requires what all of them require', () => {
  const by = (name: string, schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: { kind: { const: name }, [name]: schema },
    required: ['kind', name],
  })
  expect(objectRoot({ description: 'd', oneOf: [by('id', text), by('url', text)] })).toEqual({
    description: 'd',
    type: 'object',
    properties: { kind: { anyOf: [{ const: 'id' }, { const: 'url' }] }, id: text, url: text },
    required: ['kind'],
  })
})

test('parts that all hold are joined, and references at the root are followed', () => {
  const schema: JsonObject = {
    allOf: [{ $ref: '#/$defs/page' }, { properties: { q: text }, required: ['q'] }],
    $defs: { page: { properties: { size: { type: 'integer' } }, required: ['size'] } },
  }
  expect(objectRoot(schema)).toMatchObject({
    type: 'object',
    properties: { size: { type: 'integer' }, q: text },
    required: ['size', 'q'],
  })
  expect(objectRoot({ $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { q: text } } } })).toMatchObject({
    type: 'object',
    properties: { q: text },
  })
})

test('Gemini gets its own words only, references in their places', () => {
  const schema: JsonObject = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: {
      to: { $ref: '#/$defs/person', description: 'who' },
      size: { type: ['integer', 'null'], exclusiveMinimum: 0, default: 3 },
      mode: { const: 'fast' },
      level: { type: 'integer', enum: [1, 2] },
      list: { type: 'array' },
      any: { oneOf: [text, { type: 'number' }, { type: 'null' }] },
      mixed: { type: ['string', 'integer'] },
    },
    required: ['to', 'gone'],
    $defs: { person: { type: 'object', properties: { name: text }, required: ['name'], additionalProperties: false } },
  }
  expect(geminiSchema(schema)).toEqual({
    type: 'object',
    properties: {
      to: { type: 'object', properties: { name: text }, required: ['name'], description: 'who' },
      size: { type: 'integer', nullable: true },
      mode: { type: 'string', enum: ['fast'] },
      level: { type: 'integer' },
      list: { type: 'array', items: text },
      any: { anyOf: [text, { type: 'number' }], nullable: true },
      mixed: { anyOf: [text, { type: 'integer' }] },
    },
    required: ['to'],
  })
})

test('a schema that refers to itself comes to an end', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/tree' } },
    $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } },
  }
  expect(JSON.stringify(geminiSchema(schema)).length).toBeLessThan(5_000)
})

test.each([
  ['gemini', { type: 'object', properties: { a: text } }],
  ['openai', { type: 'object', properties: { a: text }, additionalProperties: false }],
])('a request to %s holds the schema in its words', async (provider, parameters) => {
  const sent: JsonObject[] = []
  const fetch = async (_url: unknown, init?: { body?: unknown }) => {
    sent.push(JSON.parse(String(init?.body)) as JsonObject)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  const place = { provider, model: 'm', baseUrl: 'http://127.0.0.1/v1', fetch: fetch as typeof globalThis.fetch }
  const input = { type: 'object', properties: { a: text }, additionalProperties: false }
  const tools = [{ name: 't', description: '', input }]
  const request = { system: [], messages: [], tools, toolChoice: 'auto' as const, settings: {} }
  for await (const _ of openaiChat(place).generate(request, { signal: new AbortController().signal }));
  expect(sent).toMatchObject([{ tools: [{ function: { parameters } }] }])
  expect(JSON.stringify(sent).includes('additionalProperties')).toBe(provider === 'openai')
})

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { type McpService, mcpHttp } from '@tenon/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { place } from './tenon-process.js'

/** What real servers list: alternatives at the root, references, formats, words of later drafts. */
const HARD: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    when: { type: 'string', format: 'date-time', description: 'Not before today.' },
    to: { $ref: '#/$defs/person' },
    priority: { type: ['integer', 'null'], exclusiveMinimum: 0, default: 3 },
    kind: { const: 'mail' },
    tags: { type: 'array', prefixItems: [{ type: 'string' }], uniqueItems: true },
    more: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
  },
  required: ['to'],
  oneOf: [
    { required: ['text'], properties: { text: { type: 'string' } } },
    { required: ['file'], properties: { file: { type: 'string' } } },
  ],
  $defs: { person: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
}

const sent: JsonObject[] = []
const mailer: McpService = {
  info: () => ({ serverInfo: { name: 'mailer', version: '1' }, capabilities: { tools: {} } }),
  async request({ method, params }) {
    if (method === 'tools/list') return { tools: [{ name: 'send', description: 'Sends.', inputSchema: HARD }] }
    sent.push(params.arguments as JsonObject)
    return { content: [{ type: 'text', text: 'Sent.' }] }
  },
  follow: () => ({ changed() {}, stop() {} }),
}

async function listening(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function mcpUrl(): Promise<string> {
  const { handle } = mcpHttp({ service: mailer })
  return `${await listening((request, response) => void handle(request, response))}/mcp`
}

const events = (...all: readonly JsonObject[]): string =>
  all.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const MESSAGE = { id: 'm', type: 'message', role: 'assistant' }
const OUTPUT = { ...MESSAGE, status: 'completed', content: [{ type: 'output_text', text: 'ok', annotations: [] }] }

type Provider = {
  readonly config: string
  /** "ok", in the form of the provider. */
  readonly answer: string
  /** The schema of the only tool, as the request holds it. */
  readonly schema: (body: JsonObject) => Json | undefined
}

const at = (body: Json | undefined, ...path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => (value as Record<string | number, Json> | undefined)?.[key], body)

const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    config: 'provider: anthropic, model: claude-sonnet-5',
    answer: events(
      {
        type: 'message_start',
        message: { ...MESSAGE, content: [], model: 'm', usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ),
    schema: (body) => at(body, 'tools', 0, 'input_schema'),
  },
  'openai-responses': {
    config: 'provider: openai, model: gpt-6.1-sol, dialect: openai-responses',
    answer: events(
      { type: 'response.created', response: { id: 'r', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, content: [] } },
      { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'ok' },
      { type: 'response.output_item.done', output_index: 0, item: OUTPUT },
      {
        type: 'response.completed',
        response: { id: 'r', status: 'completed', output: [OUTPUT], usage: { input_tokens: 1, output_tokens: 1 } },
      },
    ),
    schema: (body) => at(body, 'tools', 0, 'parameters'),
  },
  'openai-chat': {
    config: 'provider: openai, model: gpt-6.1-sol, dialect: openai-chat',
    answer: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    schema: (body) => at(body, 'tools', 0, 'function', 'parameters'),
  },
  gemini: {
    config: 'provider: gemini, model: gemini-3-flash',
    answer: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    schema: (body) => at(body, 'tools', 0, 'function', 'parameters'),
  },
}

/** What stands at the root of a schema and is refused there (Anthropic and OpenAI name these in their errors). */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref']

/** Every word of a schema that is no name of a field. */
function wordsOf(schema: Json | undefined): readonly string[] {
  if (!isJsonObject(schema)) return []
  const { properties, ...words } = schema
  const fields = isJsonObject(properties) ? Object.values(properties) : []
  const below = Object.values(words).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return [...Object.keys(schema), ...[...fields, ...below].flatMap(wordsOf)]
}

test.each(Object.entries(PROVIDERS))(
  '%s is offered a tool of a server in the words that it takes',
  async (name, provider) => {
    const bodies: JsonObject[] = []
    const api = await listening(async (request, response) => {
      let text = ''
      for await (const part of request.setEncoding('utf8')) text += part
      bodies.push(JSON.parse(text) as JsonObject)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(provider.answer)
    })
    const here = place()
    here.write(
      'tenon.yaml',
      `agents: { assistant: { model: served, tools: ["mail__*"] } }
models: { served: { ${provider.config}, baseUrl: "${api}/v1", apiKey: key-0123456789abcdef } }
mcp: { servers: { mail: { url: "${await mcpUrl()}" } } }
skills: { enabled: false }
`,
    )
    const ran = await here.tenon(['run', 'go'])
    expect([ran.code, ran.stdout]).toEqual([0, 'ok\n'])
    const schema = provider.schema(bodies[0] ?? {})
    expect(schema).toMatchObject({
      type: 'object',
      properties: { text: {}, file: {}, to: {}, when: {} },
      required: ['to'],
    })
    expect(Object.keys(schema ?? {}).filter((word) => REFUSED_AT_ROOT.includes(word))).toEqual([])
    if (name !== 'gemini') return
    const refused = [
      '$ref',
      '$defs',
      '$schema',
      'oneOf',
      'const',
      'format',
      'default',
      'exclusiveMinimum',
      'prefixItems',
    ]
    expect(
      wordsOf(schema).filter((word) => [...refused, 'patternProperties', 'additionalProperties'].includes(word)),
    ).toEqual([])
    expect(at(schema, 'properties', 'to')).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } })
  },
)

test('what was left out for a provider is still held to: the server sees no call that its schema does not allow', async () => {
  const here = place()
  here.write(
    'tenon.yaml',
    `policy: { otherwise: allow }
mcp: { servers: { mail: { url: "${await mcpUrl()}" } } }
`,
  )
  here.write(
    'r.yaml',
    `rehearsal: a sender
scenes:
  - { name: neither, when: { turns: 0 }, say: { calls: [{ tool: mail__send, args: { to: { name: Ann } } }] } }
  - { name: nobody, when: { turns: 1, results: [{ error: true }] }, say: { calls: [{ tool: mail__send, args: { to: {}, text: hi } }] } }
  - { name: right, when: { turns: 2, results: [{ error: true }] }, say: { calls: [{ tool: mail__send, args: { to: { name: Ann }, text: hi } }] } }
  - { name: done, when: { turns: 3, results: [{ contains: [Sent] }] }, say: { text: done } }
`,
  )
  sent.length = 0
  expect(await here.tenon(['run', 'go', '--rehearsal', 'r.yaml'])).toMatchObject({ code: 0, stdout: 'done\n' })
  // With what the schema says where nothing is given.
  expect(sent).toEqual([{ to: { name: 'Ann' }, text: 'hi', priority: 3 }])
})

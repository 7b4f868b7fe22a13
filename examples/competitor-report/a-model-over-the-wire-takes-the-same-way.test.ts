import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  CallId,
  type Message,
  type ModelEvent,
  type ModelRequest,
  type TextBlock,
  type ToolResultBlock,
  text,
  USER,
} from '@tenon/kernel'
import { readRehearsal, rehearsalModel } from '@tenon/models'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needs } from '../../test-support/needs.js'
import { type Desk, type ExamplePlace, examplePlace } from './example-place.js'

needs('a sandbox (Linux)', () => process.platform === 'linux')

type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly is_error?: boolean
      readonly content: string | readonly { readonly type: string; readonly text?: string }[]
    }
type WireRequest = {
  readonly system?: readonly { readonly text: string }[]
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string | readonly WireBlock[] }[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input_schema: object }[]
}

const textsOf = (content: string | readonly { readonly text?: string }[]): TextBlock[] =>
  typeof content === 'string' ? [text(content)] : content.map((part) => text(part.text ?? ''))

/** What stands in a request of Anthropic's form, and nothing that does not. */
function shownIn({ system = [], messages, tools }: WireRequest): ModelRequest {
  const names = new Map<string, string>()
  const read: Message[] = []
  for (const { role, content } of messages) {
    const blocks: readonly WireBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const said = blocks.flatMap((block) => (block.type === 'text' ? [text(block.text)] : []))
    if (role === 'assistant') {
      const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
      for (const { id, name } of calls) names.set(id, name)
      const proposed = calls.map(({ id, name }) => ({ kind: 'tool-call' as const, callId: CallId(id), name, args: {} }))
      read.push({ role: 'assistant', blocks: [...said, ...proposed] })
      continue
    }
    const results = blocks.flatMap((block): ToolResultBlock[] =>
      block.type === 'tool_result'
        ? [
            {
              kind: 'tool-result',
              callId: CallId(block.tool_use_id),
              name: names.get(block.tool_use_id) ?? '',
              content: textsOf(block.content),
              isError: block.is_error === true,
              provenance: { source: 'function', trust: 'untrusted' },
            },
          ]
        : [],
    )
    if (results.length > 0) read.push({ role: 'tool', blocks: results })
    else read.push({ role: 'user', blocks: said, provenance: USER })
  }
  return {
    system: system.map((part) => text(part.text)),
    messages: read,
    tools: tools.map(({ name, description }) => ({ name, description, input: {} })),
    toolChoice: 'auto',
    settings: {},
  }
}

/** An answer as Anthropic streams it. */
function* streamed(
  events: readonly ModelEvent[],
): Generator<{ readonly type: string; readonly [key: string]: unknown }> {
  const usage = { input_tokens: 1000, output_tokens: 100 }
  yield {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage },
  }
  let index = 0
  let calls = 0
  for (const event of events) {
    if (event.kind !== 'block-ended') continue
    const { block } = event
    if (block.kind === 'text') {
      yield { type: 'content_block_start', index, content_block: { type: 'text', text: '' } }
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } }
    } else if (block.kind === 'tool-call') {
      const id = `toolu_${Date.now()}_${calls++}`
      yield { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: block.name, input: {} } }
      yield {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: block.argsText ?? '{}' },
      }
    } else continue
    yield { type: 'content_block_stop', index: index++ }
  }
  yield { type: 'message_delta', delta: { stop_reason: calls > 0 ? 'tool_use' : 'end_turn' }, usage }
  yield { type: 'message_stop' }
}

/** A server that speaks Anthropic's form and answers as the rehearsal would, from what the wire shows. */
async function playedAnthropic(): Promise<{ readonly url: string; requests: number; close(): void }> {
  const file = join(import.meta.dirname, 'rehearsal.yaml')
  const model = rehearsalModel(readRehearsal(readFileSync(file, 'utf8').replace(/^pace: .*$/m, ''), file))
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    played.requests++
    const events: ModelEvent[] = []
    const shown = shownIn(JSON.parse(Buffer.concat(pieces).toString()))
    for await (const event of model.generate(shown, { signal: new AbortController().signal })) events.push(event)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of streamed(events)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const { port } = server.address() as { port: number }
  const played = {
    url: `http://127.0.0.1:${port}`,
    requests: 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return played
}

let place: ExamplePlace
let desk: Desk
beforeEach(async () => {
  place = await examplePlace()
  desk = await place.startDesk()
}, 60_000)
afterEach(async () => {
  await desk.close()
  place.remove()
})

test('with a model over the wire the same project goes the same way, and no rehearsal plays', {
  timeout: 120_000,
}, async () => {
  const anthropic = await playedAnthropic()
  place.change(
    'tenon.yaml',
    (config) =>
      `${config}\nmodels:\n  wired: { provider: anthropic, model: claude-sonnet-5, baseUrl: "${anthropic.url}", apiKey: a-key-0123456789 }\n`,
  )
  const ended = await place.pursue(desk.url, '--yes', ['--model', 'wired'])
  anthropic.close()
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('reports/meridian-kinetics.pdf (3 pages)') })
  expect(anthropic.requests).toBe(10)
  const { out } = await place.tenon(['runs', 'export', 'last'], desk.url)
  expect([...new Set(out.match(/"model":\{"provider":"[^"]+"/g))]).toEqual(['"model":{"provider":"anthropic"'])
  expect(place.read('reports/meridian-kinetics.pdf').startsWith('%PDF-1.7')).toBe(true)
})

import type { AssistantMessage, CallId, JsonObject, ModelRequest, ToolDefinition, ToolMessage } from '@tenon/kernel'
import { HOST, readArguments, userMessage } from '@tenon/kernel'
import { beforeAll, describe, expect, test } from 'vitest'
import { anthropicMessages } from '../src/anthropic-messages/anthropic-messages.js'
import { openaiChat } from '../src/openai-chat/openai-chat.js'
import { openaiResponses } from '../src/openai-responses/openai-responses.js'
import { promptedDialects } from '../src/prompted/dialects.js'
import { TurnParser } from '../src/prompted/turn-parser.js'
import { readToolDefinition } from '../src/tool-form/tool-schema.js'
import { wireNames } from '../src/tool-form/wire-names.js'
import { type BfclEntry, bfclEntries, bfclIsHere } from './bfcl.js'
import { ajv, ajvSchema } from './support/ajv-schema.js'

if (!bfclIsHere && process.env.CI === 'true') throw new Error('shared/data/bfcl is missing beside the checkout')

type Entry = BfclEntry & { readonly tools: readonly ToolDefinition[] }
let entries: readonly Entry[] = []

beforeAll(() => {
  if (!bfclIsHere) return
  entries = bfclEntries().map((entry) => ({
    ...entry,
    tools: entry.functions.map((definition) => readToolDefinition(definition).tool),
  }))
})

describe.skipIf(!bfclIsHere)('shared/data/bfcl', () => {
  test('every definition is valid JSON Schema 2020-12 with a provider-safe name that leads back', () => {
    let count = 0
    for (const { id, tools } of entries) {
      const names = wireNames(tools.map((tool) => tool.name))
      for (const tool of tools) {
        count++
        expect(ajv.validateSchema(tool.input), `${id} ${tool.name} ${ajv.errorsText(ajv.errors)}`).toBe(true)
        const wire = names.toWire(tool.name)
        expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(names.fromWire(wire)).toBe(tool.name)
      }
    }
    expect(count).toBe(2_074)
  })

  /** A text for a list, texts for integers, a value outside of the enum: here the data contradicts itself. */
  const CONTRADICTIONS = ['live_parallel_multiple_2-2-0', 'parallel_multiple_21', 'parallel_multiple_94']

  test('every gold call fits its definition as it is, without any repair', async () => {
    const misfits: string[] = []
    let count = 0
    for (const { id, tools, calls } of entries) {
      for (const call of calls) {
        count++
        const tool = tools.find(({ name }) => name === call.name)
        if (tool === undefined) throw new Error(`${id}: ${call.name} is not offered`)
        const input = ajvSchema(tool.input)
        const reading = await readArguments(JSON.stringify(call.args), { name: tool.name, input })
        if (!reading.ok) misfits.push(CONTRADICTIONS.includes(id) ? id : `${id} ${reading.problem.message}`)
        else expect({ args: reading.args, repairs: reading.repairs }).toEqual({ args: call.args, repairs: [] })
      }
    }
    expect([...new Set(misfits)]).toEqual(CONTRADICTIONS)
    expect(count).toBeGreaterThan(1_000)
  })

  test.each(Object.values(promptedDialects))(
    'every gold call survives the dialect $name, in chunks of one character too',
    (dialect) => {
      for (const { id, tools, calls } of entries) {
        // One call a turn in the dialects that reason and act, all of them in one turn in the other.
        const turns = dialect.name === 'json' ? [calls] : calls.map((call) => [call])
        for (const turn of turns.filter((some) => some.length > 0)) {
          const text = dialect.writeTurn('One step.', turn, null)
          for (const chunks of [[text], [...text]]) {
            const parser = new TurnParser(dialect, tools)
            for (const chunk of chunks) parser.push(chunk)
            const read = parser.end('stop')
            const found = read.calls.map((call) => (call.kind === 'call' ? { name: call.name, args: call.args } : call))
            expect(found, id).toEqual(turn)
            expect({ thought: read.thought, discarded: read.discarded, repairs: read.repairs }, id).toEqual({
              thought: 'One step.',
              discarded: null,
              repairs: [],
            })
          }
        }
      }
    },
  )

  test.each([
    ['openai-chat', echoChat],
    ['openai-responses', echoResponses],
    ['anthropic-messages', echoAnthropic],
  ] as const)(
    'every gold call survives the wire form of %s',
    async (_name, ask) => {
      for (const { id, tools, calls } of entries.filter((entry) => entry.calls.length > 0)) {
        const found = await ask(requestWith(tools, calls))
        expect(found, id).toEqual(calls)
      }
    },
    60_000,
  )
})

function requestWith(tools: readonly ToolDefinition[], calls: BfclEntry['calls']): ModelRequest {
  const ids = calls.map((_, index) => `t1.${index + 1}` as CallId)
  const turn: AssistantMessage = {
    role: 'assistant',
    blocks: calls.map(({ name, args }, index) => ({
      kind: 'tool-call',
      name,
      args,
      callId: ids[index] ?? ('' as CallId),
    })),
  }
  const results: ToolMessage = {
    role: 'tool',
    blocks: calls.map(({ name }, index) => ({
      kind: 'tool-result',
      callId: ids[index] ?? ('' as CallId),
      name,
      content: [{ kind: 'text', text: 'done' }],
      isError: false,
      provenance: HOST,
    })),
  }
  return { system: [], messages: [userMessage('Go.'), turn, results], tools, toolChoice: 'auto', settings: {} }
}

type Answer = (body: JsonObject) => JsonObject
const PLACE = { provider: 'test', model: 'test', baseUrl: 'http://127.0.0.1/v1', apiKey: 'none' }

/** A provider that answers with the calls that the history it was sent holds, in its own words. */
const provider = (answer: Answer) => async (_url: unknown, init?: { body?: unknown }) =>
  new Response(JSON.stringify(answer(JSON.parse(String(init?.body)) as JsonObject)), {
    headers: { 'content-type': 'application/json' },
  })

async function callsOf(model: ReturnType<typeof openaiChat>, request: ModelRequest): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const event of model.generate(request, { signal: new AbortController().signal })) {
    if (event.kind === 'finished' && event.error) throw new Error(event.error.message)
    if (event.kind !== 'block-ended' || event.block.kind !== 'tool-call') continue
    const { name, args, problem } = event.block
    found.push(problem === undefined ? { name, args } : { name, problem })
  }
  return found
}

const messagesOf = (body: JsonObject): JsonObject[] => body.messages as unknown as JsonObject[]

function echoChat(request: ModelRequest): Promise<unknown[]> {
  const fetch = provider((body) => {
    const message = messagesOf(body).find(({ role }) => role === 'assistant') ?? {}
    return {
      id: 'a',
      object: 'chat.completion',
      model: 'test',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    }
  })
  return callsOf(openaiChat({ ...PLACE, quirks: { stream: false }, fetch: fetch as typeof globalThis.fetch }), request)
}

function echoResponses(request: ModelRequest): Promise<unknown[]> {
  const fetch = provider((body) => {
    const output = (body.input as unknown as JsonObject[])
      .filter(({ type }) => type === 'function_call')
      .map((item, index) => ({ id: `fc_${index}`, status: 'completed', ...item }))
    return { id: 'a', object: 'response', status: 'completed', model: 'test', output }
  })
  return callsOf(
    openaiResponses({ ...PLACE, quirks: { stream: false }, fetch: fetch as typeof globalThis.fetch }),
    request,
  )
}

function echoAnthropic(request: ModelRequest): Promise<unknown[]> {
  const fetch = provider((body) => {
    const { content = [] } = messagesOf(body).find(({ role }) => role === 'assistant') ?? {}
    return {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'test',
      content,
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    }
  })
  return callsOf(
    anthropicMessages({ ...PLACE, quirks: { stream: false }, fetch: fetch as typeof globalThis.fetch }),
    request,
  )
}

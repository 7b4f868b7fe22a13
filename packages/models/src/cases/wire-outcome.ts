import { createHash } from 'node:crypto'
import type { Author, Json, JsonObject, Message, ModelBlock, ModelEvent, ModelRequest, TurnBlock } from '@tenon/kernel'
import { CallId, canonicalJson, HOST, isJsonObject, text, userMessage } from '@tenon/kernel'
import { toolNames } from '../wire/tool-names.js'
import type { WireCase } from './wire-case.js'
import { dialectOf } from './wire-case.js'

type Finished = Extract<ModelEvent, { kind: 'finished' }>

/** What differs between what the events say and what the case expects, one line each. */
export function outcomeDifferences(wireCase: WireCase, events: readonly ModelEvent[]): string[] {
  const { expect } = wireCase
  const finished = events.filter((event): event is Finished => event.kind === 'finished')
  const last = events.at(-1)
  if (finished.length !== 1 || last?.kind !== 'finished')
    return [`finished stands ${finished.length} times, last is ${last?.kind}`]
  const ended = events.filter((event) => event.kind === 'block-ended')
  const blocks = ended.map((event) => event.block)
  const differences = ended.flatMap((event, at) => (event.index === at ? [] : [`block ${at} has index ${event.index}`]))
  const compare = (what: string, wanted: Json | undefined, got: Json | undefined) => {
    const [a, b] = [canonicalJson(wanted ?? null), canonicalJson(got ?? null)]
    if (a !== b) differences.push(`${what}: expected ${a.slice(0, 300)}, got ${b.slice(0, 300)}`)
  }
  compare('finish', expect.finish, last.finish)
  compare('usage', expect.usage, last.usage === null ? null : { ...last.usage })
  compare('diagnostics', sorted(expect.diagnostics), sorted(last.diagnostics))
  compare('error', expect.error, errorOf(last))
  const sent = roundTrip(wireCase, blocks)
  compareBlocks(expect, blocks, compare)
  compareCalls(expect, blocks, sent, compare)
  if (isJsonObject(expect.roundTrip)) compareRoundTrip(expect.roundTrip, sent, compare)
  return differences
}

type Compare = (what: string, wanted: Json | undefined, got: Json | undefined) => void

function errorOf({ error }: Finished): Json {
  return error === undefined
    ? null
    : { code: error.code, retryable: error.retryable, retryAfterMs: error.retryAfterMs ?? null }
}

function compareBlocks(expect: JsonObject, blocks: readonly ModelBlock[], compare: Compare): void {
  const wanted = Array.isArray(expect.blocks) ? (expect.blocks as Json[]) : []
  compare('number of blocks', wanted.length, blocks.length)
  let call = 0
  for (const [at, block] of blocks.entries()) {
    const want = wanted[at]
    if (!isJsonObject(want)) continue
    const got: Record<string, Json> = { kind: block.kind }
    if (block.kind === 'tool-call') got.call = call++
    if (block.kind === 'reasoning') got.seal = block.seal
    if (block.kind === 'opaque') got.type = block.type
    if (block.kind === 'text' || block.kind === 'reasoning') addText(got, block.text, want)
    if (block.kind === 'text' && block.refusal === true) got.refusal = true
    if (block.kind === 'text' && block.citations !== undefined) got.citations = block.citations.length
    compare(`block ${at}`, want, got)
  }
}

function compareCalls(expect: JsonObject, blocks: readonly ModelBlock[], sent: Sent, compare: Compare): void {
  const wanted = Array.isArray(expect.toolCalls) ? (expect.toolCalls as Json[]) : []
  const calls = blocks.filter((block) => block.kind === 'tool-call')
  compare('number of calls', wanted.length, calls.length)
  if (new Set(sent.callIds).size !== calls.length || sent.callIds.includes(''))
    compare('call ids', 'all different, none empty', [...sent.callIds])
  compare('ids of results', [...sent.callIds], [...sent.resultIds])
  for (const [at, block] of calls.entries()) {
    const want = wanted[at]
    if (!isJsonObject(want)) continue
    const id = sent.callIds[at] ?? ''
    const got: Record<string, Json> = { id: want.id === null ? null : id, name: block.name }
    if (block.problem === undefined) {
      if (want.argsTextLength === undefined) got.args = block.args
      else Object.assign(got, digest('argsText', block.argsText ?? JSON.stringify(block.args)))
    } else {
      got.malformed = true
      if (want.rawLength === undefined) got.raw = block.argsText ?? ''
      else Object.assign(got, digest('raw', block.argsText ?? ''))
    }
    compare(`call ${at}`, want, got)
  }
}

function compareRoundTrip(wanted: JsonObject, sent: Sent, compare: Compare): void {
  for (const [key, value] of Object.entries(isJsonObject(wanted.message) ? wanted.message : {}))
    compare(`round trip, message.${key}`, value, isJsonObject(sent.message) ? sent.message[key] : undefined)
  if (wanted.content !== undefined)
    compare('round trip, content', wanted.content, isJsonObject(sent.message) ? sent.message.content : null)
  if (wanted.input !== undefined) compare('round trip, input', wanted.input, [...sent.items])
}

function addText(got: Record<string, Json>, value: string, want: JsonObject): void {
  if (want.textLength === undefined) got.text = value
  else Object.assign(got, digest('text', value))
}

function digest(name: string, value: string): JsonObject {
  return {
    [`${name}Length`]: Buffer.byteLength(value),
    [`${name}Sha256`]: createHash('sha256').update(value).digest('hex'),
  }
}

function sorted(list: Json | undefined): Json {
  return Array.isArray(list) ? [...(list as string[])].sort() : []
}

type Sent = {
  /** The assistant's message of the next request, in the chat and messages dialects. */
  readonly message: Json
  /** Its items, in the responses dialect. */
  readonly items: readonly Json[]
  readonly callIds: readonly string[]
  readonly resultIds: readonly string[]
}

/** Sends the turn back in a next request, as the engine would: bound, serialised, with a result for every call. */
function roundTrip(wireCase: WireCase, blocks: readonly ModelBlock[]): Sent {
  const bound = blocks.map(
    (block, at): TurnBlock => (block.kind === 'tool-call' ? { ...block, callId: CallId(`t1.${at}`) } : block),
  )
  const turn = JSON.parse(JSON.stringify(bound)) as TurnBlock[]
  const calls = turn.filter((block) => block.kind === 'tool-call')
  const after: Message =
    calls.length === 0
      ? userMessage('Go on.')
      : {
          role: 'tool',
          blocks: calls.map(({ callId, name }) => ({
            kind: 'tool-result',
            callId,
            name,
            content: [text('done')],
            isError: false,
            provenance: HOST,
          })),
        }
  const dialect = dialectOf(wireCase)
  const self: Author = { provider: wireCase.options.provider, model: wireCase.options.model, dialect: dialect.name }
  const request: ModelRequest = {
    system: [],
    messages: [userMessage('Begin.'), { role: 'assistant', blocks: turn }, after],
    tools: [],
    toolChoice: 'auto',
    settings: {},
  }
  return sentIn(dialect.write(request, self, toolNames(wireCase.tools)))
}

function sentIn(body: JsonObject): Sent {
  const messages = list(body.messages)
  const input = list(body.input)
  const message = messages.find((item) => item.role === 'assistant') ?? null
  const results = input.filter((item) => item.type === 'function_call_output')
  const items = input.slice(1, input.length - Math.max(1, results.length))
  const parts = [...list(message?.content), ...list(message?.tool_calls), ...items]
  const calls = parts.filter((part) => ['tool_use', 'function', 'function_call'].includes(String(part.type)))
  const answers = [
    ...messages.filter((item) => item.role === 'tool'),
    ...messages.filter((item) => item.role === 'user').flatMap((item) => list(item.content)),
    ...results,
  ]
  const idOf = (part: JsonObject) => String(part.call_id ?? part.tool_call_id ?? part.tool_use_id ?? part.id ?? '')
  return {
    message,
    items,
    callIds: calls.map(idOf),
    resultIds: answers.filter((part) => part.role === 'tool' || 'tool_use_id' in part || 'call_id' in part).map(idOf),
  }
}

const list = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item: Json): item is JsonObject => isJsonObject(item)) : []

import type { ErrorRecord, Finish, Json, ModelBlock, ModelEvent, Usage } from '@tenon/kernel'
import { expect } from 'vitest'
import { byteCuts } from '../../src/cases/byte-cuts.js'
import type { WireCase } from '../../src/cases/wire-case.js'
import { readPieces } from '../../src/cases/wire-cases.js'

export type Wire = {
  readonly dialect?: 'openai-chat' | 'openai-responses' | 'anthropic-messages'
  readonly body: string | Uint8Array
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly stream?: boolean
  readonly tools?: readonly string[]
  readonly thinkTags?: 'leading' | 'template' | 'off'
  readonly now?: number
}

export type Read = {
  /** Without their author, which is the same for all. */
  readonly blocks: readonly ModelBlock[]
  readonly finish: Finish
  readonly usage: Usage | null
  readonly diagnostics: readonly string[]
  readonly error: ErrorRecord | undefined
}

/** Reads an answer through its dialect, cut in every way; all of them have to agree. */
export function readWire(wire: Wire): Read {
  const body = typeof wire.body === 'string' ? new TextEncoder().encode(wire.body) : wire.body
  const outcomes = byteCuts(body, undefined).map(({ pieces }) => outcome(readPieces(caseOf(wire, body), pieces)))
  const [first] = outcomes
  if (first === undefined) throw new Error('there is always one cut')
  for (const other of outcomes) expect(other).toEqual(first)
  return first
}

/** The events of an answer that came whole. */
export function readEvents(wire: Wire): readonly ModelEvent[] {
  const body = typeof wire.body === 'string' ? new TextEncoder().encode(wire.body) : wire.body
  return readPieces(caseOf(wire, body), [body])
}

function caseOf(wire: Wire, body: Uint8Array): WireCase {
  const now = wire.now ?? Date.parse('2026-11-30T10:00:00Z')
  return {
    name: 'test',
    body,
    status: wire.status ?? 200,
    headers: wire.headers ?? {},
    now,
    tools: wire.tools ?? [],
    chunks: undefined,
    expect: {},
    options: { provider: 'test', model: 'm-1', now: () => now },
    dialectName: wire.dialect ?? 'openai-chat',
    stream: wire.stream ?? true,
    thinkTags: wire.thinkTags ?? 'leading',
  }
}

function outcome(events: readonly ModelEvent[]): Read {
  const last = events.at(-1)
  if (last?.kind !== 'finished') throw new Error('the last event is not finished')
  const ended = events.filter((event) => event.kind === 'block-ended')
  expect(ended.map(({ index }) => index)).toEqual(ended.map((_, at) => at))
  return {
    blocks: ended.map(({ block: { author: _, ...block } }) => block as ModelBlock),
    finish: last.finish,
    usage: last.usage,
    diagnostics: [...last.diagnostics].sort(),
    error: last.error,
  }
}

/** Server-sent events with these data, each followed by a blank line. */
export function sse(...data: readonly (Json | string)[]): string {
  return data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('')
}

/** A stream of chat chunks with these deltas, a finish word and `[DONE]`. */
export function chatStream(deltas: readonly Json[], word: string | null = 'stop'): string {
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }))
  return sse(...chunks, { choices: [{ index: 0, delta: {}, finish_reason: word }] }, '[DONE]')
}

/** A chat delta with one fragment of a call. */
export function fragment(part: { index?: number; id?: string; name?: string; args?: Json }): Json {
  const { name, args, ...rest } = part
  return {
    tool_calls: [
      {
        ...rest,
        function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
      },
    ],
  }
}

/** Anthropic events, each named by its type. */
export function namedSse(...events: readonly { readonly type: string; readonly [key: string]: Json }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

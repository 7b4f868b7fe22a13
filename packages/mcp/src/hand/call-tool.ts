import {
  type CallContext,
  type HandEvent,
  type InputNeed,
  isJsonObject,
  isTenonError,
  type Json,
  type JsonObject,
} from '@tenon/kernel'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import { McpError, rpcDetail } from '../errors.js'
import { readToolResult } from '../outputs/read-tool-result.js'
import { addressesFirst } from './addresses-first.js'
import { type CallHandle, readHandle } from './call-handle.js'
import { followTask } from './follow-task.js'
import { HeldCall } from './held-call.js'
import { elicitResult, readWish } from './input-request.js'
import type { ToolDesk } from './tool-desk.js'
import { traceParent } from './trace-parent.js'

type Round = Extract<CallHandle, { round: number }>
type Events<T> = AsyncGenerator<HandEvent, T>

/**
 * One call of a tool, from its arguments to its result: over questions that the server pushes or asks in rounds, and
 * over a task. It may be left when a person is asked and entered again with the answers, in another process where the
 * protocol allows it.
 */
export async function* callTool(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
): Events<void> {
  try {
    const result = yield* pursue(desk, entry, args, context)
    if (result !== undefined) yield await readToolResult(entry, result, desk.compile, desk.diagnose)
  } catch (error) {
    throw withCode(error, entry)
  }
}

async function* pursue(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
): Events<JsonObject | undefined> {
  const key = `${context.runId}/${context.callId}`
  const held = desk.held.get(key)
  if (held !== undefined) return yield* attend(desk, entry, args, context, held, key)
  const handle = readHandle(context.handle)
  if (handle === undefined) return yield* begin(desk, entry, args, context, {}, 0)
  if ('task' in handle) return yield* followTask(desk, handle.task, handle.pollMs, context)
  if ('sent' in handle || 'open' in handle)
    throw new McpError('mcp-connection-lost', `The process ended while ${entry.name} was open at ${entry.server}.`)
  return yield* answerRound(desk, entry, args, context, handle)
}

/** Sends the call, the first time or with the answers of a round. */
function begin(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
  extra: JsonObject,
  round: number,
): Events<JsonObject | undefined> {
  const params = { name: entry.name, arguments: args, ...extra }
  const held = new HeldCall(desk, params, { traceparent: traceParent(context.runId, context.callId) })
  return attend(desk, entry, args, context, held, `${context.runId}/${context.callId}`, round)
}

/** Stays with an open call until it ends or a person is needed. */
async function* attend(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
  held: HeldCall,
  key: string,
  round = 0,
): Events<JsonObject | undefined> {
  for (const { key: asked, answer } of context.answers) held.answer(asked, answer)
  desk.held.delete(key)
  const cancel = (): void => held.cancel()
  context.signal.addEventListener('abort', cancel, { once: true })
  if (context.signal.aborted) cancel()
  try {
    for (;;) {
      const event = await held.events.next()
      switch (event.kind) {
        case 'progress': {
          const { progress, total, message } = event.progress
          yield {
            kind: 'progress',
            done: progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          }
          break
        }
        case 'question':
          // In the journal, so that whoever cancels the run reaches the call as well.
          yield { kind: 'handle', handle: { open: true } }
          desk.held.set(key, held)
          yield { kind: 'needs-input', needs: [event.need] }
          return undefined
        case 'withdrawn':
          yield { kind: 'input-withdrawn', key: event.key }
          break
        case 'error': {
          const requests = addressesFirst(event.error)
          if (requests === undefined || round >= desk.maxRounds) throw event.error
          const refused: Round = { round: round + 1, requests, state: null, responses: {}, again: true }
          return yield* answerRound(desk, entry, args, { ...stillOpen(context), handle: null, answers: [] }, refused)
        }
        case 'result':
          return yield* conclude(desk, entry, args, context, event.result, round)
      }
    }
  } finally {
    context.signal.removeEventListener('abort', cancel)
  }
}

async function* conclude(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
  result: JsonObject,
  round: number,
): Events<JsonObject | undefined> {
  const { resultType, taskId, pollIntervalMs, inputRequests, requestState } = result
  if (resultType === 'task') {
    if (typeof taskId !== 'string')
      throw new McpError('mcp-protocol-error', `${entry.server} made a task of ${entry.name} without an id.`)
    const pollMs = typeof pollIntervalMs === 'number' ? pollIntervalMs : 1_000
    yield { kind: 'handle', handle: { task: taskId, pollMs } }
    return yield* followTask(desk, taskId, pollMs, { ...stillOpen(context), handle: null, answers: [] })
  }
  if (resultType !== 'input_required') return result
  if (round >= desk.maxRounds)
    throw new McpError('mcp-too-many-rounds', `${entry.server} asked ${round} times for ${entry.name} and asks again.`)
  const handle: Round = {
    round: round + 1,
    requests: isJsonObject(inputRequests) ? inputRequests : {},
    state: typeof requestState === 'string' ? requestState : null,
    responses: {},
  }
  return yield* answerRound(desk, entry, args, { ...stillOpen(context), handle: null, answers: [] }, handle)
}

/** Gathers the answers of a round, in the journal as they come, and sends the call again when all are there. */
async function* answerRound(
  desk: ToolDesk,
  entry: ToolEntry,
  args: JsonObject,
  context: CallContext,
  handle: Round,
): Events<JsonObject | undefined> {
  const { round, requests, state, again } = handle
  const responses: Record<string, Json> = { ...handle.responses }
  const needs: InputNeed[] = []
  for (const [name, request] of Object.entries(requests)) {
    if (name in responses) continue
    const { method, params } = isJsonObject(request) ? request : {}
    const asked = isJsonObject(params) ? params : {}
    const wish = readWish(desk, String(method), asked)
    const key = `round-${round}:${name}`
    const given = context.answers.find((answer) => answer.key === key)
    if (wish.kind === 'automatic') responses[name] = await wish.answer(context.signal)
    else if (given !== undefined) responses[name] = elicitResult(given.answer, wish.need.schema)
    else needs.push({ key, ...wish.need, resume: null })
  }
  const changed = Object.keys(responses).length !== Object.keys(handle.responses).length
  if (needs.length > 0) {
    yield { kind: 'handle', handle: { round, requests, state, responses, ...(again ? { again } : {}) } }
    yield { kind: 'needs-input', needs }
    return undefined
  }
  if (changed) yield { kind: 'handle', handle: { sent: round } }
  if (again && Object.values(responses).some((answer) => !isJsonObject(answer) || answer.action !== 'accept'))
    throw new McpError('mcp-input-refused', `${entry.server} wants an address opened first, and nobody did.`)
  const extra: JsonObject = {
    ...(again || Object.keys(responses).length === 0 ? {} : { inputResponses: responses }),
    ...(state === null ? {} : { requestState: state }),
  }
  return yield* begin(desk, entry, args, { ...stillOpen(context), handle: null, answers: [] }, extra, round)
}

/** The context's own properties are looked up when they are used; a copy has to keep that. */
function stillOpen(context: CallContext): Omit<CallContext, 'handle' | 'answers'> {
  const { runId, callId, key, attempt, signal, budget } = context
  return { runId, callId, key, attempt, signal, budget, progress: (...args) => context.progress(...args) }
}

/** The JSON-RPC code stands in what the model reads. */
function withCode(error: unknown, entry: ToolEntry): unknown {
  const rpc = rpcDetail(error)
  if (rpc === undefined || !isTenonError(error)) return error
  const message = `${entry.server} refused ${entry.name}: ${error.message.slice(0, 4_000)} (JSON-RPC error ${rpc.code}).`
  return new McpError('mcp-rpc-error', message, { cause: error, detail: error.detail ?? null })
}

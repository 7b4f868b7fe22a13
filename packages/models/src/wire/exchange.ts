import type { ErrorRecord, ModelEvent } from '@tenon/kernel'
import { errorRecord } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { AnswerReader, ReadUsage } from './answer-state.js'
import { networkCode } from './network-code.js'
import type { BytesEnd } from './read-answer.js'
import { ReadAnswer } from './read-answer.js'
import { isRefusedHere, knocking } from './refused-here.js'
import type { Patience, Stall } from './stall-timer.js'
import { StallTimer } from './stall-timer.js'
import type { HttpResponse, Transport } from './transport.js'

export type Exchange = {
  readonly provider: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly streamAsked: boolean
  readonly reader: AnswerReader
  readonly usage: ReadUsage
  readonly transport: Transport
  readonly patience: Patience
  readonly now: () => number
  readonly secret?: string
  readonly signal: AbortSignal
}

/**
 * Sends one request and gives the answer as events while it comes. Never throws: what goes wrong is told by the last
 * event. After `signal` aborts, the connection is closed and the events end without a `finished`.
 */
export async function* exchange(call: Exchange): AsyncGenerator<ModelEvent> {
  const { signal, provider } = call
  if (signal.aborted) return
  const stop = new AbortController()
  let stalled: Stall | undefined
  const onStall = (stall: Stall) => {
    stalled = stall
    stop.abort()
  }
  const timer = new StallTimer(call.patience, call.streamAsked, onStall)
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    let response: HttpResponse
    try {
      const { url, headers, body } = call
      response = await knocking(call.transport)({ url, headers, body, signal: stop.signal })
    } catch (thrown) {
      if (!signal.aborted)
        yield failed(stalled === undefined ? unreachable(call, thrown) : stallError(provider, stalled))
      return
    }
    const { status, headers } = response
    const { streamAsked, now, secret } = call
    const head = { provider, status, headers, streamAsked, now, ...(secret === undefined ? {} : { secret }) }
    const answer = new ReadAnswer(head, call.reader, call.usage)
    let broken: ErrorRecord | undefined
    let unread: ErrorRecord | undefined
    const attempt = (read: () => readonly ModelEvent[]): readonly ModelEvent[] => {
      try {
        return read()
      } catch (thrown) {
        unread = unreadable(provider, thrown)
        return []
      }
    }
    try {
      for await (const bytes of response.body) {
        const events = attempt(() => answer.push(bytes))
        const progressed = answer.takeProgress() || events.length > 0
        // A listener that takes its time is no stall of the provider.
        if (progressed) timer.stop()
        yield* events
        if (answer.isDone) timer.done()
        else if (progressed) timer.progressed()
        if (answer.isOver || unread !== undefined || stop.signal.aborted) break
      }
    } catch {
      broken = cut(provider)
    }
    if (signal.aborted) return
    if (stalled !== undefined) broken = stalled === 'after-done' ? undefined : stallError(provider, stalled)
    const how: BytesEnd = broken === undefined ? { kind: 'end' } : { kind: 'broken', error: broken }
    if (unread === undefined) yield* attempt(() => answer.end(how))
    if (unread !== undefined) yield failed(unread)
  } finally {
    timer.stop()
    signal.removeEventListener('abort', abort)
    stop.abort()
  }
}

export function failed(error: ErrorRecord): ModelEvent {
  return { kind: 'finished', finish: 'error', usage: null, error, diagnostics: [] }
}

function cut(provider: string): ErrorRecord {
  const message = `The connection to ${provider} broke in the middle of the answer; what came is kept. Try again.`
  return errorRecord(new ModelsError('stream-truncated', message))
}

function stallError(provider: string, stall: Stall): ErrorRecord {
  return errorRecord(
    stall === 'first'
      ? new ModelsError('timeout', `${provider} gave no sign of an answer in time. Try again or allow more time.`)
      : new ModelsError('stream-stalled', `The answer of ${provider} stopped coming; what came is kept. Try again.`),
  )
}

function unreachable(call: Exchange, thrown: unknown): ErrorRecord {
  const code = networkCode(thrown)
  if (code === 'UND_ERR_INVALID_ARG') {
    const advice = 'The key or another header has characters that no header can hold; check how they are set.'
    return errorRecord(new ModelsError('invalid-request', advice))
  }
  const { origin } = new URL(call.url)
  const message = `${call.provider} cannot be reached at ${origin}${code === '' ? '' : ` (${code})`}. Is it running, and is the address right?`
  const record = errorRecord(
    new ModelsError('unreachable', message, { detail: { provider: call.provider, reason: code } }),
  )
  // It was knocked at already, and a run must not wait for a program that somebody has to start.
  return isRefusedHere(call.url, thrown) ? { ...record, retryable: false } : record
}

/** What a provider sends may be anything; whatever it does to a reader, the caller gets an event and no exception. */
function unreadable(provider: string, cause: unknown): ErrorRecord {
  return errorRecord(new ModelsError('bad-response', `The answer of ${provider} could not be read.`, { cause }))
}

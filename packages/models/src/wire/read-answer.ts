import type { ErrorRecord, Json, ModelEvent } from '@tenon/kernel'
import { errorRecord } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { AnswerReader, ReadUsage } from './answer-state.js'
import type { BodyFailure } from './body-reader.js'
import { BodyReader, PAGE_HEAD } from './body-reader.js'
import type { Headers } from './retry-after.js'
import { safeExcerpt } from './safe-excerpt.js'
import { wireError } from './wire-error.js'

export type AnswerHead = {
  readonly provider: string
  readonly status: number
  readonly headers: Headers
  readonly streamAsked: boolean
  /** Epoch milliseconds; for waits that are given as a date. */
  readonly now: () => number
  readonly secret?: string
}

/** Why the bytes stopped: the provider was through, or the connection or our patience was. */
export type BytesEnd = { readonly kind: 'end' } | { readonly kind: 'broken'; readonly error: ErrorRecord }

/** Bodies of refusals are read up to so many characters. */
const MAX_REFUSAL = 1024 * 1024

/**
 * Turns the bytes of one HTTP answer into model events. Knows nothing of sockets and clocks, so that every cut of the
 * bytes can be tried: the outcome is the same for all of them.
 */
export class ReadAnswer {
  readonly #head: AnswerHead
  readonly #reader: AnswerReader
  readonly #usage: ReadUsage
  readonly #body: BodyReader
  readonly #decoder = new TextDecoder()
  #refusal = ''

  constructor(head: AnswerHead, reader: AnswerReader, usage: ReadUsage) {
    this.#head = head
    this.#reader = reader
    this.#usage = usage
    this.#body = new BodyReader(reader, head.streamAsked)
  }

  /** Nothing that comes can change the outcome any more. */
  get isOver(): boolean {
    return this.#isGood && this.#body.failure !== undefined
  }

  /** The writer said that it was through; only a stray piece could still come. */
  get isDone(): boolean {
    return this.#reader.state.done
  }

  /** Whether something that counts as progress came since the last look. */
  takeProgress(): boolean {
    const { state } = this.#reader
    const progressed = state.progressed
    state.progressed = false
    return progressed
  }

  push(bytes: Uint8Array): readonly ModelEvent[] {
    if (this.#isGood) this.#body.push(bytes)
    else if (this.#refusal.length < MAX_REFUSAL) this.#refusal += this.#decoder.decode(bytes, { stream: true })
    return this.#drain()
  }

  end(how: BytesEnd): readonly ModelEvent[] {
    if (!this.#isGood) return [finished('error', this.#refused())]
    const { state } = this.#reader
    const broken = how.kind === 'broken' && state.word === undefined && !state.done
    if (!broken) this.#body.end()
    const failure = this.#body.failure
    const ending = failure !== undefined || broken ? 'failed' : this.#body.isStream ? 'stream-end' : 'whole'
    const finish = this.#reader.finish(ending)
    const error =
      failure !== undefined
        ? this.#failed(failure)
        : broken && how.kind === 'broken'
          ? how.error
          : finish === 'truncated'
            ? truncated(this.#head.provider)
            : finish === 'error'
              ? this.#failed({ kind: 'error', body: { error: { code: state.word ?? null } } })
              : undefined
    const last = failure !== undefined ? 'error' : broken ? 'truncated' : finish
    return [
      ...this.#drain(),
      {
        kind: 'finished',
        finish: last,
        usage: this.#usage(state),
        ...(error === undefined ? {} : { error }),
        diagnostics: [...state.diagnostics],
        ...(state.servedBy === undefined ? {} : { servedBy: state.servedBy }),
      },
    ]
  }

  get #isGood(): boolean {
    return this.#head.status >= 200 && this.#head.status < 300
  }

  #drain(): readonly ModelEvent[] {
    return this.#reader.state.events.splice(0)
  }

  #failed(failure: BodyFailure): ErrorRecord {
    if (failure.kind === 'too-long') return tooLong(this.#head.provider)
    if (failure.kind === 'not-json') return badResponse(this.#head, failure.text)
    const { provider, status, headers, now, secret } = this.#head
    return wireError({
      provider,
      status,
      headers,
      body: failure.kind === 'error' ? failure.body : undefined,
      html: failure.kind === 'page',
      now: now(),
      ...(secret === undefined ? {} : { secret }),
    })
  }

  #refused(): ErrorRecord {
    const { provider, status, headers, now, secret } = this.#head
    const text = (this.#refusal + this.#decoder.decode()).replace(/^\ufeff/, '').trim()
    const body = parsed(text.startsWith('data:') ? text.replace(/^data:\s*/, '').split(/\r\n?\r\n?|\n\n/)[0] : text)
    const html = PAGE_HEAD.test(text) || (body === undefined && (headers['content-type'] ?? '').includes('text/html'))
    return wireError({
      provider,
      status,
      headers,
      body,
      html,
      now: now(),
      ...(body === undefined && !html ? { text } : {}),
      ...(secret === undefined ? {} : { secret }),
    })
  }
}

function finished(finish: 'error', error: ErrorRecord): ModelEvent {
  return { kind: 'finished', finish, usage: null, error, diagnostics: [] }
}

function truncated(provider: string): ErrorRecord {
  return errorRecord(
    new ModelsError('stream-truncated', `The answer of ${provider} ended in the middle; what came is kept. Try again.`),
  )
}

function tooLong(provider: string): ErrorRecord {
  return errorRecord(
    new ModelsError('bad-response', `The answer of ${provider} has more than 64 MiB; what came is kept.`),
  )
}

function badResponse({ provider, secret }: AnswerHead, text: string): ErrorRecord {
  const said = safeExcerpt(text, secret)
  const advice = `What ${provider} sent is no answer of this API; check the base address and the dialect.`
  return errorRecord(new ModelsError('bad-response', said === '' ? advice : `${advice} It begins: ${said}`))
}

function parsed(text: string | undefined): Json | undefined {
  try {
    return JSON.parse(text ?? '') as Json
  } catch {
    return undefined
  }
}

import {
  type CallState,
  type Engine,
  type InputRequest,
  isJsonObject,
  isTenonError,
  type Json,
  type RequestId,
  RunId,
  RunState,
} from '@tenon/kernel'
import { askConsent } from './consent/ask-consent.js'
import { askQuestion } from './consent/ask-question.js'
import type { Asker } from './consent/asker.js'
import { eventLine } from './event-line.js'
import type { Io } from './io.js'
import { narrate } from './printer/narrate.js'
import type { Piece } from './printer/piece.js'
import type { Printer } from './printer/printer.js'
import { safeText } from './printer/safe-text.js'

/** How requests are answered while a run is watched. */
export type Answering =
  | { readonly kind: 'person'; readonly asker: Asker }
  /** Every consent is given or refused; questions are left open. */
  | { readonly kind: 'all'; readonly answer: 'approve' | 'deny' }
  | { readonly kind: 'nobody' }

export type WatchOptions = {
  readonly engine: Engine
  readonly runId: RunId
  readonly io: Io
  readonly printer: Printer
  readonly width: number
  readonly json: boolean
  readonly answering: Answering
  /** Events up to this one are known and not shown. */
  readonly after: number
  /** A request that was just answered and is not asked again. */
  readonly answered?: RequestId
}

/**
 * Shows a run while it goes on and answers what it asks. Everything is taken from `engine.follow`, so it is the same
 * whether this process drives the run or another one does. Lives until `close`.
 */
export class RunWatch {
  readonly run = new RunState()
  readonly runId: RunId
  /** How many requests were answered from here. */
  answered = 0
  readonly #options: WatchOptions
  readonly #stop = new AbortController()
  readonly #asks = new Map<RequestId, AbortController>()
  readonly #waiting = new Set<{ seq: number; resolve: () => void }>()
  readonly #following: Promise<void>
  readonly #children = new Set<RunId>()
  /** Questions are put one after another. */
  #asking: Promise<void> = Promise.resolve()
  /** What kept a question from being answered. */
  readonly #failures: unknown[] = []
  /** What happened while a question stood on the screen. */
  #unshown: Piece[] | undefined

  constructor(options: WatchOptions) {
    this.#options = options
    this.runId = options.runId
    this.#following = this.#follow()
    // Who waits for it hears of a failure; until then it must not end the process.
    this.#following.catch(() => {})
  }

  /** Everything up to this event has been shown. */
  async reached(seq: number): Promise<void> {
    if (this.run.seq >= seq) return
    await Promise.race([new Promise<void>((resolve) => this.#waiting.add({ seq, resolve })), this.#following])
  }

  /** Every question that may be put to somebody here has been. */
  async settled(): Promise<void> {
    for (let asking: Promise<void> | undefined; asking !== this.#asking; ) {
      asking = this.#asking
      await asking
    }
    if (this.#failures.length > 0) throw this.#failures[0]
  }

  async close(): Promise<void> {
    this.#stop.abort()
    for (const ask of this.#asks.values()) ask.abort()
    await this.#following.catch(() => {})
    await this.#asking
  }

  async #follow(): Promise<void> {
    const { engine, runId, io, json, after } = this.#options
    for await (const item of engine.follow(runId, { signal: this.#stop.signal })) {
      if (item.kind === 'event') {
        this.run.apply(item.event)
        if (json && item.event.seq > after) io.stdout.write(eventLine(runId, item.event))
      }
      if (this.run.seq > after || (this.run.seq === after && item.kind !== 'event'))
        this.#show(narrate(this.run, item, { width: this.#options.width, name: runId }))
      if (item.kind !== 'event') continue
      if (item.event.kind === 'call-handle' && item.event.seq > after) this.#watchChild(item.event.handle)
      if (item.event.kind === 'input-answered') this.#asks.get(item.event.requestId)?.abort()
      if (item.event.kind === 'run-ended') for (const ask of this.#asks.values()) ask.abort()
      if (item.event.kind === 'input-requested' && item.event.seq > after) this.#ask(item.event.request)
      // What was open before we looked is asked once the past is behind us.
      if (item.event.seq === after) for (const request of this.run.inputs.values()) this.#ask(request)
      for (const waiting of this.#waiting)
        if (this.run.seq >= waiting.seq) {
          this.#waiting.delete(waiting)
          waiting.resolve()
        }
    }
  }

  /** What a sub-run does is shown under its agent's name; its events are its own and not part of `--json`. */
  #watchChild(handle: Json): void {
    const runId = isJsonObject(handle) && typeof handle.runId === 'string' ? RunId(handle.runId) : undefined
    if (runId === undefined || this.#children.has(runId)) return
    this.#children.add(runId)
    void this.#followChild(runId).catch(() => {
      // It may not be there yet or any more; its parent tells what came of it.
    })
  }

  async #followChild(runId: RunId): Promise<void> {
    const { engine, width } = this.#options
    const child = new RunState()
    for await (const item of engine.follow(runId, { signal: this.#stop.signal })) {
      if (this.run.ended) return
      if (item.kind !== 'event') continue
      child.apply(item.event)
      const name = safeText(child.submission.agent)
      for (const piece of narrate(child, item, { width: width - name.length - 2, name: runId }))
        if (piece.kind === 'line' && item.event.kind !== 'input-requested' && item.event.kind !== 'run-submitted')
          this.#show([{ ...piece, text: `${name}: ${piece.text}` }])
        else if (piece.kind === 'busy') this.#show([{ ...piece, text: `${name}: ${piece.text}` }])
    }
  }

  #show(pieces: readonly Piece[]): void {
    if (this.#unshown === undefined) this.#options.printer.print(pieces)
    else this.#unshown.push(...pieces)
  }

  #ask(request: InputRequest): void {
    const { answering } = this.#options
    if (answering.kind === 'nobody' || (answering.kind === 'all' && request.kind !== 'approval')) return
    if (request.requestId === this.#options.answered) return
    const asked =
      answering.kind === 'all'
        ? (): Promise<void> => this.#answer(request, { kind: answering.answer })
        : (): Promise<void> => this.#askUntilAnswered(request, answering.asker)
    this.#asking = this.#asking.then(asked).catch((error: unknown) => {
      this.#failures.push(error)
    })
  }

  /** An answer that does not fit is told and asked for again. */
  async #askUntilAnswered(request: InputRequest, asker: Asker): Promise<void> {
    for (;;) {
      const said = await this.#askPerson(request, asker)
      if (said === undefined) return
      try {
        return await this.#answer(request, said)
      } catch (error) {
        if (!isTenonError(error) || error.code !== 'answer-invalid') throw error
        this.#options.printer.say(safeText(error.message), 'bad')
      }
    }
  }

  async #askPerson(request: InputRequest, asker: Asker): Promise<Json | undefined> {
    const { printer, io } = this.#options
    if (!this.run.inputs.has(request.requestId)) return undefined
    const withdrawn = new AbortController()
    this.#asks.set(request.requestId, withdrawn)
    printer.quiet(true)
    this.#unshown = []
    try {
      if (request.kind !== 'approval') return await askQuestion(request, asker, withdrawn.signal)
      const asked = await this.origin(request)
      if (request.via?.runId !== undefined) asker.say(`The sub-run ${request.via.runId} asks:`)
      return await askConsent({ ...asked, environment: io.environment, signal: withdrawn.signal }, asker)
    } finally {
      this.#asks.delete(request.requestId)
      printer.quiet(false)
      const unshown = this.#unshown
      this.#unshown = undefined
      printer.print(unshown)
    }
  }

  /** Where a consent was first asked: a sub-run's call is shown with its own arguments, not as its parent sees it. */
  async origin(request: InputRequest): Promise<{ request: InputRequest; call: CallState | undefined }> {
    let asked = { request, call: this.run.calls.get(request.callId) }
    for (let via = request.via; via?.runId !== undefined; via = asked.request.via) {
      const child = await this.#options.engine.state(via.runId)
      const inner = [...child.inputs.values()].find(({ requestId }) => requestId === via?.requestId)
      if (inner === undefined) return { request, call: undefined }
      asked = { request: inner, call: child.calls.get(inner.callId) }
    }
    return asked
  }

  async #answer(request: InputRequest, answer: Json): Promise<void> {
    try {
      await this.#options.engine.answer(this.#options.runId, request.requestId, answer, 'cli')
      this.answered++
    } catch (error) {
      // Somebody else was faster, or the run ended meanwhile: there is nothing left to answer.
      if (!isTenonError(error) || (error.code !== 'request-unknown' && error.code !== 'run-ended')) throw error
    }
  }
}

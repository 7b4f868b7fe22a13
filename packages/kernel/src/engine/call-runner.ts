import { text } from '../content/block.js'
import type { CallId, RunId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { Provenance } from '../content/provenance.js'
import { HOST } from '../content/provenance.js'
import type { TenonError } from '../errors/error-table.js'
import { errorRecord } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import { normaliseError } from '../errors/normalise-error.js'
import type { Landed, OutputBounds } from '../ledger/landing.js'
import { cleanError, land } from '../ledger/landing.js'
import type { Redact } from '../ledger/redact.js'
import type { Artifacts } from '../ports/artifacts.js'
import type { Clock } from '../ports/clock.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { HandEvent, HandGrant, HandResult, InputNeed, Tool } from '../ports/tool.js'
import type { Amounts } from '../run/amounts.js'
import type { CallState } from '../run/call-state.js'
import type { Outcome, RunEventBody } from '../run/events.js'
import { soundAmounts, soundMoney } from '../run/sound-amounts.js'
import { HandContext } from './hand-context.js'
import { LazyAbort } from './lazy-abort.js'
import { unknownSpending } from './limits.js'
import type { LiveItem } from './live.js'
import type { Tuning } from './ports.js'

/** What a call needs of the driver that it belongs to. */
export type CallDesk = {
  readonly runId: RunId
  readonly clock: Clock
  readonly tuning: Omit<Tuning, 'output'>
  /** Of one output, for the model that reads it now. */
  bounds(): OutputBounds
  readonly redact: Redact
  readonly artifacts: Artifacts
  /** Adds to the journal and wakes the round; `committed` is called when it is durable. */
  deliver(body: RunEventBody, committed?: () => void): void
  /** Called once, before the call's last event: its slot is free. */
  callOver(callId: CallId, tool: Tool): void
  /** The hand reported a need; the driver makes a request of it. */
  need(callId: CallId, need: InputNeed): void
  withdraw(callId: CallId, key: string): void
  grant(callId: CallId, grant: HandGrant): void
  /** The hand returned and waits for answers. */
  handWaits(callId: CallId, tool: Tool): void
  publish(item: LiveItem): void
  watched(): boolean
}

/** One entry of a hand: runs the tool, follows what it reports, lands what it returns. Settles the call exactly once. */
export class CallRunner {
  readonly #abort = new LazyAbort()
  #lastProgress = 0
  #stopTimer: (() => void) | undefined
  #stopGrace: (() => void) | undefined
  #over = false
  #canceled: string | undefined
  #asked = false
  #spent: Amounts | undefined

  constructor(
    readonly desk: CallDesk,
    readonly callId: CallId,
    readonly call: CallState,
    readonly tool: Tool,
  ) {}

  start(): void {
    if (this.tool.timeoutMs !== undefined) this.#watch(this.tool.timeoutMs)
    try {
      const out = this.tool.run(this.call.args, this.#context())
      if (isPromise(out))
        out.then(
          (result) => this.#finish(result),
          (thrown) => this.#throw(thrown),
        )
      else if (isStream(out)) void this.#follow(out)
      else this.#finish(out)
    } catch (thrown) {
      this.#throw(thrown)
    }
  }

  /** It was told to stop, or its end is being written. */
  get isEnding(): boolean {
    return this.#over || this.#canceled !== undefined
  }

  /** Asks the hand to stop. It may still tell what it did; after a grace period it is not listened to any more. */
  cancel(reason: string): void {
    if (this.#over || this.#canceled !== undefined) return
    this.#canceled = reason
    this.#abort.abort(new KernelError('call-canceled', reason))
    this.#stopGrace = this.desk.clock.after(this.desk.tuning.graceMs, () => {
      const unsure =
        this.call.proposal.effect === 'pure' ? '' : ' It did not stop in time; whether it took effect is unknown.'
      this.#settle('canceled', new KernelError('call-canceled', `${reason}${unsure}`))
    })
  }

  /** Stops listening without a word: this process gives the run up. */
  abandon(): void {
    this.#over = true
    this.#stopTimer?.()
    this.#stopGrace?.()
    this.#abort.abort()
  }

  #context(): HandContext {
    const { desk, callId, call } = this
    const room = boundsOf(this.tool, desk.bounds()).text
    return new HandContext(desk.runId, callId, call, room, this.#abort, this)
  }

  async #follow(events: AsyncIterable<HandEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (this.#over) return
        this.#lastProgress = this.desk.clock.now()
        if (event.kind === 'result') {
          this.#finish(event)
          return
        }
        if (event.kind === 'handle') await this.#keepHandle(event.handle)
        else if (event.kind === 'spent') this.#spent = soundAmounts(event.spent)
        else if (event.kind === 'progress') this.progress(event.message, event.done, event.total)
        else if (event.kind === 'input-withdrawn') this.desk.withdraw(this.callId, event.key)
        else if (event.kind === 'grant') this.desk.grant(this.callId, event)
        else
          for (const need of event.needs) {
            this.#asked = true
            this.desk.need(this.callId, need)
          }
      }
      if (!this.#over) this.#silent()
    } catch (thrown) {
      this.#throw(thrown)
    }
  }

  /** The hand goes on only when its handle is in the journal: from then on it is attached to, not repeated. */
  #keepHandle(handle: Json): Promise<void> {
    return new Promise((resolve) => this.desk.deliver({ kind: 'call-handle', callId: this.callId, handle }, resolve))
  }

  #silent(): void {
    if (this.call.waitingFor > 0 || this.call.answers.length > 0 || this.#asked) {
      this.#end()
      this.desk.handWaits(this.callId, this.tool)
      return
    }
    this.#settle('failed', new KernelError('hand-silent', `${this.tool.name} ended without a result.`))
  }

  #finish(result: HandResult): void {
    if (this.#over) return
    if (!isHandResult(result)) {
      this.#settle('failed', new KernelError('hand-silent', `${this.tool.name} returned nothing that is a result.`))
      return
    }
    if (result.spent) this.#spent = soundAmounts(result.spent)
    const landed = this.#keep(result, boundsOf(this.tool, this.desk.bounds()))
    if (isPromise(landed))
      landed.then(
        (safe) => this.#land(result, safe),
        (thrown) => this.#settle('failed', this.#unkept(thrown)),
      )
    else this.#land(result, landed)
  }

  /** The hand has done its work: what cannot be kept of its output, at once or later, must not end more than this call. */
  #keep(output: Pick<HandResult, 'content' | 'value'>, bounds: OutputBounds): MaybePromise<Landed> {
    const { runId, artifacts, redact } = this.desk
    try {
      return land(output, { runId, name: this.tool.name }, artifacts, redact, bounds)
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }

  /** Says that the work was done: who reads only of a failure does it again. */
  #unkept(thrown: unknown): KernelError {
    const { code, message, traits } = normaliseError(thrown, 'tool-failed', this.desk.redact)
    const why = traits.modelVisible ? `: ${message}` : ` (${code}).`
    return new KernelError('tool-failed', `${this.tool.name} ran, but its output could not be kept${why}`, {
      cause: thrown,
    })
  }

  #land(result: HandResult, landed: Landed): void {
    if (this.#over) return
    const spent = this.#spent
    this.#end()
    this.desk.callOver(this.callId, this.tool)
    const { error, cost, goesOn, settles } = result
    const { content, value, valueArtifact } = landed
    const { callId } = this
    const kind = 'call-settled'
    const outcome = result.isError ? 'failed' : 'finished'
    const provenance = result.provenance ?? this.#provenance()
    const isPlain = !error && cost === undefined && !spent && !goesOn && settles === undefined
    if (isPlain && value !== undefined)
      this.desk.deliver({ seq: 0, at: 0, kind, callId, outcome, content, value, provenance })
    else
      this.desk.deliver({
        kind,
        callId,
        outcome,
        content,
        ...(value === undefined ? {} : { value }),
        ...(valueArtifact === undefined ? {} : { valueArtifact }),
        ...(error === undefined ? {} : { error: cleanError(error, this.desk.redact) }),
        provenance,
        ...(cost === undefined ? {} : { cost: soundMoney(cost) }),
        ...(spent === undefined ? {} : { spent }),
        ...(goesOn ? { goesOn: true as const } : {}),
        ...(settles === undefined ? {} : { settles }),
      })
  }

  #throw(thrown: unknown): void {
    if (this.#over) return
    if (this.#canceled !== undefined) {
      this.#settle('canceled', new KernelError('call-canceled', this.#canceled))
      return
    }
    const error = normaliseError(thrown, 'tool-failed', this.desk.redact)
    this.#settle(error.traits.inDoubt ? 'in-doubt' : 'failed', error)
  }

  #settle(outcome: Outcome, error: TenonError): void {
    if (this.#over) return
    this.#end()
    const spent = this.#spent ?? unknownSpending(this.call, outcome)
    const message = error.traits.modelVisible ? error.message : `${this.tool.name} failed (${error.code}).`
    // Over only now: while its words are being kept, the run has something to wait for.
    const deliver = (safe: Landed): void => {
      this.desk.callOver(this.callId, this.tool)
      this.desk.deliver({
        kind: 'call-settled',
        callId: this.callId,
        outcome,
        content: safe.content,
        error: cleanError({ ...errorRecord(error), message }, this.desk.redact),
        provenance: this.#provenance(),
        ...(spent === undefined ? {} : { spent }),
      })
    }
    const landed = this.#keep({ content: [text(message)] }, this.desk.bounds())
    if (isPromise(landed)) landed.then(deliver, () => deliver({ content: [text(`${this.tool.name} failed.`)] }))
    else deliver(landed)
  }

  #end(): void {
    this.#over = true
    this.#stopTimer?.()
    this.#stopGrace?.()
  }

  /** What the hand tells those who watch. */
  progress(message: string | undefined, done?: number, total?: number): void {
    this.#lastProgress = this.desk.clock.now()
    if (!this.desk.watched() || this.#over) return
    this.desk.publish({
      kind: 'progress',
      runId: this.desk.runId,
      callId: this.callId,
      ...(message === undefined ? {} : { message: this.desk.redact(message) }),
      ...(done === undefined ? {} : { done }),
      ...(total === undefined ? {} : { total }),
    })
  }

  #watch(timeoutMs: number): void {
    const { clock } = this.desk
    this.#lastProgress = clock.now()
    const look = (): void => {
      const quiet = clock.now() - this.#lastProgress
      if (quiet < timeoutMs) {
        this.#stopTimer = clock.after(timeoutMs - quiet, look)
        return
      }
      const once = this.call.proposal.effect === 'once'
      const message = `${this.tool.name} made no progress for ${Math.round(quiet / 1000)} s and was stopped.${once ? ' Whether it took effect is unknown.' : ''}`
      this.#abort.abort(new KernelError('call-timeout', message))
      this.#settle(once ? 'in-doubt' : 'failed', new KernelError('call-timeout', message))
    }
    this.#stopTimer = clock.after(timeoutMs, look)
  }

  #provenance(): Provenance {
    const { origin, trust = 'untrusted' } = this.tool
    return origin ? { source: origin.kind, name: this.tool.name, trust } : HOST
  }
}

const isStream = (value: unknown): value is AsyncIterable<HandEvent> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const isHandResult = (value: unknown): value is HandResult =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'result'

/** How much longer than others an output may be that stays for good. */
const KEPT_TIMES = 4

const boundsOf = (tool: Tool, bounds: OutputBounds): OutputBounds =>
  tool.keep ? { ...bounds, text: bounds.text * KEPT_TIMES } : bounds

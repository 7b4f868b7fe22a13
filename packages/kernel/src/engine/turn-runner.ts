import type { ModelBlock, ToolCallBlock, TurnBlock, UnboundCall } from '../content/block.js'
import type { CallId, RunId, ScopeId, TurnId } from '../content/ids.js'
import type { ErrorRecord } from '../errors/error-table.js'
import { errorRecord } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import { normaliseError } from '../errors/normalise-error.js'
import { cleanError } from '../ledger/landing.js'
import type { Redact } from '../ledger/redact.js'
import type { Clock } from '../ports/clock.js'
import type { Model, ModelEvent, ModelRequest, Prices, Usage } from '../ports/model.js'
import type { RunEventBody } from '../run/events.js'
import { soundUsage } from '../run/sound-amounts.js'
import { LazyAbort } from './lazy-abort.js'
import type { LiveItem } from './live.js'
import type { Tuning } from './ports.js'

/** What a turn needs of the driver that it belongs to. */
export type TurnDesk = {
  readonly runId: RunId
  readonly clock: Clock
  readonly tuning: Omit<Tuning, 'output'>
  readonly redact: Redact
  /** Adds to the journal and wakes the round. */
  deliver(body: RunEventBody): void
  /** Called once, after the turn's last event. */
  turnOver(turnId: TurnId): void
  publish(item: LiveItem): void
  watched(): boolean
}

type Finished = Extract<ModelEvent, { kind: 'finished' }>

/** One model call: follows its stream, tries again while nothing was said, and always ends with `turn-ended`. */
export class TurnRunner {
  readonly #abort = new LazyAbort()
  /** Kinds of the blocks under way, for those who watch. */
  #kinds: Map<number, ModelBlock['kind']> | undefined
  #blocks = 0
  #attempt = 0
  #lastProgress = 0
  #stopWatch: (() => void) | undefined
  #stopRetry: (() => void) | undefined
  #over = false

  constructor(
    readonly desk: TurnDesk,
    readonly turnId: TurnId,
    readonly scope: ScopeId,
    readonly model: Model,
    readonly request: ModelRequest,
  ) {}

  start(): void {
    this.#attempt++
    try {
      const stream = this.model.generate(this.request, this.#abort)
      if (Symbol.asyncIterator in stream) {
        this.#watch()
        void this.#follow(stream)
        return
      }
      for (const event of stream) if (this.#take(event)) return
      this.#failed(SILENT)
    } catch (thrown) {
      this.#failed(this.#record(thrown))
    }
  }

  /** Stops the stream. What was said stays; the turn ends as interrupted. */
  stop(): void {
    if (this.#over) return
    this.#abort.abort()
    this.#end({ seq: 0, at: 0, kind: 'turn-ended', turnId: this.turnId, outcome: 'interrupted', usage: null })
  }

  async #follow(stream: AsyncIterable<ModelEvent>): Promise<void> {
    try {
      for await (const event of stream) {
        if (this.#over) return
        this.#lastProgress = this.desk.clock.now()
        if (this.#take(event)) return
      }
      if (!this.#over) this.#failed(SILENT)
    } catch (thrown) {
      if (!this.#over) this.#failed(this.#record(thrown))
    }
  }

  /** True when that was the last event. */
  #take(event: ModelEvent): boolean {
    const { desk, turnId } = this
    switch (event.kind) {
      case 'block-began':
        if (desk.watched()) {
          const { index, block, name } = event
          this.#kinds ??= new Map()
          this.#kinds.set(index, block)
          desk.publish({
            kind: 'block-began',
            runId: desk.runId,
            turnId,
            scope: this.scope,
            index,
            block,
            ...(name === undefined ? {} : { name }),
          })
        }
        return false
      case 'delta':
        if (desk.watched()) {
          const block = this.#kinds?.get(event.index) ?? 'text'
          desk.publish({ kind: 'delta', runId: desk.runId, turnId, index: event.index, block, text: event.text })
        }
        return false
      case 'progress':
        return false
      case 'block-ended':
        desk.deliver({
          seq: 0,
          at: 0,
          kind: 'block-ended',
          turnId,
          index: this.#blocks,
          block: this.#bind(event.block),
        })
        this.#blocks++
        return false
      case 'finished':
        this.#finished(event)
        return true
    }
  }

  /** Call ids are ours: the place of the block in the run. The provider's own stays as alias. */
  #bind(block: ModelBlock): TurnBlock {
    if (block.kind !== 'tool-call') return block
    return boundCall(block, `${this.turnId}.${this.#blocks + 1}` as CallId)
  }

  #finished(event: Finished): void {
    const failed = event.finish === 'error' || event.finish === 'truncated'
    const error = event.error && this.#cleaned(event.error)
    if (failed && this.#again(error)) return
    const { finish, diagnostics, servedBy } = event
    const usage = event.usage && soundUsage(event.usage)
    const cost = costOf(usage, this.model.prices)
    const outcome = failed ? 'failed' : 'finished'
    const ended = { seq: 0, at: 0, kind: 'turn-ended', turnId: this.turnId, outcome, finish, usage } as const
    if (!failed && !error && cost === undefined && diagnostics.length === 0 && servedBy === undefined) this.#end(ended)
    else
      this.#end({
        ...ended,
        ...(failed ? { error: error ?? SILENT } : error ? { error } : {}),
        ...(cost === undefined ? {} : { cost }),
        ...(diagnostics.length > 0 ? { diagnostics } : {}),
        ...(servedBy === undefined ? {} : { servedBy }),
      })
  }

  #failed(error: ErrorRecord): void {
    if (this.#again(error)) return
    this.#end({ seq: 0, at: 0, kind: 'turn-ended', turnId: this.turnId, outcome: 'failed', error, usage: null })
  }

  /** Tries again if that can help and nothing was concluded yet: a concluded block must not be said twice. */
  #again(error: ErrorRecord | undefined): boolean {
    const { attempts, retryMs } = this.desk.tuning
    if (this.#over || !error?.retryable || this.#blocks > 0 || this.#attempt >= attempts) return false
    const backoff = Math.min(30_000, retryMs * 2 ** (this.#attempt - 1)) * (0.75 + Math.random() / 2)
    const afterMs = Math.round(Math.max(backoff, error.retryAfterMs ?? 0))
    this.#stopWatch?.()
    this.desk.publish({
      kind: 'retrying',
      runId: this.desk.runId,
      turnId: this.turnId,
      code: error.code,
      message: error.message,
      attempt: this.#attempt,
      afterMs,
    })
    this.#stopRetry = this.desk.clock.after(afterMs, () => this.start())
    return true
  }

  #end(event: Extract<RunEventBody, { kind: 'turn-ended' }>): void {
    if (this.#over) return
    this.#over = true
    this.#stopWatch?.()
    this.#stopRetry?.()
    this.desk.turnOver(this.turnId)
    this.desk.deliver(event)
  }

  /** Runs on events that carry something, not on bytes: a heartbeat is no progress. */
  #watch(): void {
    const { clock, tuning } = this.desk
    this.#lastProgress = clock.now()
    const look = (): void => {
      const quiet = clock.now() - this.#lastProgress
      if (quiet < tuning.stallMs) {
        this.#stopWatch = clock.after(tuning.stallMs - quiet, look)
        return
      }
      this.#abort.abort()
      const message = `The model made no progress for ${Math.round(quiet / 1000)} s.`
      const error = errorRecord(new KernelError('model-stalled', message))
      this.#end({ seq: 0, at: 0, kind: 'turn-ended', turnId: this.turnId, outcome: 'failed', error, usage: null })
    }
    this.#stopWatch = clock.after(tuning.stallMs, look)
  }

  #record(thrown: unknown): ErrorRecord {
    return this.#cleaned(errorRecord(normaliseError(thrown, 'model-failed', this.desk.redact)))
  }

  /** The error as it stands in the journal. One that asks for too long a wait is tried again by nobody here. */
  #cleaned(error: ErrorRecord): ErrorRecord {
    const clean = cleanError(error, this.desk.redact)
    return (error.retryAfterMs ?? 0) > MAX_RETRY_WAIT_MS ? { ...clean, retryable: false } : clean
  }
}

/** A longer wait than this is a person's decision. */
const MAX_RETRY_WAIT_MS = 120_000

const SILENT: ErrorRecord = errorRecord(new KernelError('model-failed', 'The model stream ended without saying how.'))

/** Property by property: a spread with one more property makes every call an object of a shape of its own. */
function boundCall(block: UnboundCall, callId: CallId): ToolCallBlock {
  const { kind, name, args, argsText, problem, repairs, alias, replaces, author, raw } = block
  const bound: { -readonly [Key in keyof ToolCallBlock]: ToolCallBlock[Key] } = { kind, callId, name, args }
  if (argsText !== undefined) bound.argsText = argsText
  if (problem !== undefined) bound.problem = problem
  if (repairs !== undefined) bound.repairs = repairs
  if (alias !== undefined) bound.alias = alias
  if (replaces !== undefined) bound.replaces = replaces
  if (author !== undefined) bound.author = author
  if (raw !== undefined) bound.raw = raw
  return bound
}

function costOf(usage: Usage | null, prices: Prices | undefined): number | undefined {
  if (!usage || !prices) return undefined
  const hour = usage.cacheWrite1h ?? 0
  const written = prices.cacheWrite ?? prices.input
  return (
    (usage.input * prices.input +
      usage.cachedInput * (prices.cachedInput ?? prices.input) +
      (usage.cacheWrite - hour) * written +
      hour * (prices.cacheWrite1h ?? written) +
      usage.output * prices.output) /
    1_000_000
  )
}

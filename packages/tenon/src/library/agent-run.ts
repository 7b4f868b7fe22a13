import {
  type ContentBlock,
  type Engine,
  type InputRequest,
  isTenonError,
  type Json,
  type LiveItem,
  type RequestId,
  type RunId,
  type RunState,
  type UserMessage,
} from '@tenon/kernel'
import { resultText } from '../host/result-text.js'
import type { Approve } from './approve.js'
import { checkMessage } from './check-message.js'
import { RunError } from './run-error.js'

export type RunResult<T> = {
  readonly runId: RunId
  /** The last answer as text. */
  readonly text: string
  /** The typed result where the agent has an output schema. */
  readonly output: T
  readonly blocks: readonly ContentBlock[]
  readonly turns: number
  readonly calls: number
  readonly tokens: number
  /** US dollars, where prices are known. */
  readonly cost: number
}

export type AgentRunOptions = {
  readonly engine: Engine
  readonly runId: RunId
  readonly started: () => Promise<void>
  readonly approve: Approve | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * A run that goes on in this process. Iterating shows every event once and in order, with what is live between them;
 * leaving the iteration does not cancel.
 */
export class AgentRun<T> implements AsyncIterable<LiveItem> {
  readonly id: RunId
  /**
   * What the run came to. Rejects with RunError when it failed or was canceled, and with `input-required` when it waits
   * for an answer while nobody iterates over it and no `approve` answers.
   */
  readonly result: Promise<RunResult<T>>
  readonly #options: AgentRunOptions
  readonly #started: Promise<void>
  readonly #decisions = new Map<RequestId, Promise<boolean>>()
  #readers = 0

  constructor(options: AgentRunOptions) {
    this.#options = options
    this.id = options.runId
    this.#started = options.started()
    this.result = this.#pursue()
    // It may be looked at later or never; a failure that nobody asks about must not end the process.
    this.result.catch(() => {})
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveItem> {
    this.#readers++
    try {
      await this.#started
      yield* this.#options.engine.follow(this.id)
    } finally {
      this.#readers--
    }
  }

  /** Answers what the run asked; for a consent `{ kind: 'approve' }` or `{ kind: 'deny', reason }`. */
  answer(requestId: RequestId | string, answer: Json): Promise<void> {
    return this.#options.engine.answer(this.id, requestId as RequestId, answer)
  }

  /** A message to the run while it works; its next turn sees it. */
  async tell(message: string | UserMessage): Promise<void> {
    checkMessage('A message to a run', message)
    await this.#options.engine.tell(this.id, message)
  }

  cancel(reason?: string): Promise<void> {
    return this.#options.engine.cancel(this.id, reason)
  }

  async state(): Promise<RunState> {
    await this.#started
    return this.#options.engine.state(this.id)
  }

  async #pursue(): Promise<RunResult<T>> {
    const { engine, signal } = this.#options
    await this.#started
    const abort = (): Promise<void> => engine.cancel(this.id, 'The signal was aborted.').catch(() => {})
    if (signal?.aborted) await abort()
    signal?.addEventListener('abort', abort)
    const stop = new AbortController()
    if (this.#options.approve !== undefined) void this.#approveLive(stop.signal).catch(() => {})
    try {
      for (;;) {
        const run = await engine.drive(this.id)
        if (run.ended) return this.#conclude(run)
        if (await this.#approveAll(run)) continue
        if (this.#readers === 0) throw this.#parked(run)
        await this.#news(run.seq)
      }
    } finally {
      stop.abort()
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Puts consents before `approve` as soon as they are asked, while everything else goes on. */
  async #approveLive(stop: AbortSignal): Promise<void> {
    for await (const item of this.#options.engine.follow(this.id, { signal: stop }))
      if (item.kind === 'event' && item.event.kind === 'input-requested') {
        const run = await this.#options.engine.state(this.id)
        if (run.inputs.has(item.event.request.requestId)) void this.#decide(item.event.request, run)
      }
  }

  /** True when at least one of the open consents was decided. */
  async #approveAll(run: RunState): Promise<boolean> {
    const decided = await Promise.all([...run.inputs.values()].map((request) => this.#decide(request, run)))
    return decided.includes(true)
  }

  #decide(request: InputRequest, run: RunState): Promise<boolean> {
    const known = this.#decisions.get(request.requestId)
    if (known !== undefined) return known
    const decision = this.#askProgram(request, run)
    this.#decisions.set(request.requestId, decision)
    // Whoever parks on it hears of a failure.
    decision.catch(() => {})
    return decision
  }

  async #askProgram(request: InputRequest, run: RunState): Promise<boolean> {
    const { approve, engine } = this.#options
    if (approve === undefined || request.kind !== 'approval') return false
    const said = await approve(request, run.calls.get(request.callId))
    if (said === undefined) return false
    const answer: Json = typeof said === 'boolean' ? { kind: said ? 'approve' : 'deny' } : said
    await engine.answer(this.id, request.requestId, answer).catch(ignoreAnswered)
    return true
  }

  /** Waits until anything was added to a parked run. */
  async #news(seq: number): Promise<void> {
    for await (const item of this.#options.engine.follow(this.id, { after: seq })) if (item.kind === 'event') return
  }

  #conclude(run: RunState): RunResult<T> {
    const { ended, totals } = run
    if (ended?.state !== 'completed') throw this.#failed(run)
    return {
      runId: this.id,
      text: resultText(ended),
      output: ended.output as T,
      blocks: ended.blocks,
      turns: run.turnCount,
      calls: totals.calls,
      tokens: totals.tokens,
      cost: totals.cost,
    }
  }

  #failed(run: RunState): RunError {
    const state = run.ended?.state ?? run.state
    const code = state === 'canceled' ? 'run-canceled' : 'run-rejected'
    const error = run.ended?.error ?? { code, message: `The run was ${state}.`, retryable: false }
    return new RunError(error, this.id, state)
  }

  #parked(run: RunState): RunError {
    const open: InputRequest[] = [...run.inputs.values()]
    const asked = open.map(({ requestId, prompt }) => `${requestId}: ${prompt}`).join('; ')
    const message = `The run waits for an answer (${asked}). Iterate over the run and call answer(), or give the agent an approve function or a policy.`
    return new RunError(
      {
        code: 'input-required',
        message,
        retryable: true,
        detail: { requests: open.map(({ requestId, kind, prompt }) => ({ requestId, kind, prompt })) },
      },
      this.id,
      run.state,
    )
  }
}

/** Somebody else was faster. */
function ignoreAnswered(error: unknown): void {
  if (!isTenonError(error) || error.code !== 'request-unknown') throw error
}

import { isApprovalAnswer } from '../broker/approval-answer.js'
import { invalid } from '../broker/intake.js'
import { text } from '../content/block.js'
import type { CallId, RequestId, RunId } from '../content/ids.js'
import { RunId as asRunId, ContextId, sortableId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import { userMessage } from '../content/message.js'
import { KernelError } from '../errors/kernel-errors.js'
import { OUTPUT_BOUNDS } from '../ledger/landing.js'
import { KEEP } from '../ledger/redact.js'
import { systemClock } from '../ports/clock.js'
import type { InboxItem } from '../ports/journal.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { InputRequest, RunEvent, Submission } from '../run/events.js'
import { CONSENT, RunState } from '../run/state.js'
import type { Agent } from './agent.js'
import { Driver } from './driver.js'
import type { Engine, SubmitOptions } from './engine-api.js'
import { follow } from './follow.js'
import { type ForkOptions, forkedEvents } from './forked-events.js'
import { answerItem, messageItem } from './inbox-items.js'
import { within } from './limits.js'
import { Listeners } from './listeners.js'
import type { LiveItem } from './live.js'
import type { EnginePorts, Tuning } from './ports.js'
import { TUNING } from './ports.js'

type Live = {
  readonly driver: Driver
  /** Where the run stood when this process took it up. */
  readonly since: number
  readonly done: Promise<RunState>
  readonly settle: (error?: unknown) => void
  readonly stopWatch: () => void
  readonly stopRenew: () => void
}

/** Makes an engine over its ports. One is enough for a process; several over one journal work together. */
export function createEngine(ports: EnginePorts): Engine {
  return new RunEngine(ports)
}

class RunEngine implements Engine {
  readonly #live = new Map<RunId, Live>()
  readonly #over = new Map<RunId, RunState>()
  readonly #listeners = new Listeners()
  readonly #holder: string
  readonly #clock
  readonly #tuning: Tuning
  readonly #host
  #closed = false

  constructor(readonly ports: EnginePorts) {
    this.#holder = ports.holder ?? sortableId()
    this.#clock = ports.clock ?? systemClock
    this.#tuning = { ...TUNING, output: OUTPUT_BOUNDS, ...ports.tuning }
    const listeners = this.#listeners
    this.#host = {
      ports: { ...ports, clock: this.#clock, redact: ports.redact ?? KEEP },
      tuning: this.#tuning,
      get watched() {
        return listeners.any
      },
      publish: (item: LiveItem) => listeners.tell(item),
      begin: (runId: RunId, events: readonly RunEvent[], sync: boolean) => this.#begin(runId, events, sync),
    }
  }

  submit(options: SubmitOptions): MaybePromise<RunId> {
    const runId = options.runId ?? asRunId(`run_${sortableId(this.#clock.now())}`)
    const agent = this.#agent(options.agent)
    const depth = options.parent?.depth ?? 0
    if (depth > this.#tuning.depth)
      throw new KernelError(
        'run-rejected',
        `Runs may start runs ${this.#tuning.depth} deep; this one would be at ${depth}.`,
      )
    const submission: Submission = {
      agent: agent.name,
      goal: typeof options.goal === 'string' ? userMessage(options.goal) : options.goal,
      contextId: options.contextId ?? ContextId(`ctx_${sortableId(this.#clock.now())}`),
      depth,
      planner: { name: agent.planner.name, version: agent.planner.version },
      limits: within({ ...agent.limits, ...options.limits }, options.budget ?? {}),
      ...(options.parent ? { parent: { runId: options.parent.runId, callId: options.parent.callId as CallId } } : {}),
      ...(options.deadline === undefined ? {} : { deadline: options.deadline }),
      ...(options.principal === undefined ? {} : { principal: options.principal }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    }
    const at = this.#clock.now()
    const events: RunEvent[] = [{ kind: 'run-submitted', seq: 1, at, ...submission }]
    if (options.rejected !== undefined)
      events.push({ kind: 'run-ended', seq: 2, at, state: 'rejected', blocks: [text(options.rejected)] })
    if (this.#live.has(runId)) throw new KernelError('journal-conflict', `There is a run ${runId} already.`)
    const { driver } = this.#enter(runId, RunState.of(events), agent)
    return then(driver.begin(events), () => runId)
  }

  /** Journals a new run and takes its lease, so that nobody else takes it up. */
  #begin(runId: RunId, events: readonly RunEvent[], sync: boolean): MaybePromise<void> {
    const { journal, leases } = this.ports
    const lease = { holder: this.#holder, ttlMs: this.#tuning.leaseMs }
    if (journal.begin) return journal.begin(runId, events, lease, sync)
    return then(leases.acquire(runId, lease.holder, lease.ttlMs), () => journal.append(runId, events, sync))
  }

  async fork(runId: RunId, seq: number, options: ForkOptions = {}): Promise<RunId> {
    const events = await this.ports.journal.load(runId)
    if (events.length === 0) throw unknownRun(runId)
    const now = this.#clock.now()
    const forked = forkedEvents(events, { runId, seq }, now, options)
    const run = RunState.of(forked)
    const agent = this.#agent(run.submission.agent)
    const fork = options.runId ?? asRunId(`run_${sortableId(now)}`)
    await this.ports.artifacts.share(runId, fork)
    await this.ports.leases.acquire(fork, this.#holder, this.#tuning.leaseMs)
    await this.ports.journal.append(fork, forked, false)
    for (const event of forked.slice(seq)) this.#host.publish({ kind: 'event', runId: fork, event })
    this.#takeUp(fork, run, agent, [])
    return fork
  }

  async drive(runId: RunId): Promise<RunState> {
    for (;;) {
      const live = this.#live.get(runId)
      if (live) return live.done
      const over = this.#over.get(runId)
      if (over) return over
      if (this.#closed) return this.state(runId)
      const driven = await this.#ensureDriven(runId)
      if (driven) return driven.done
      if (!this.#live.has(runId)) await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve))
    }
  }

  async answer(runId: RunId, requestId: RequestId, answer: Json, by?: string, metadata?: JsonObject): Promise<void> {
    const run = await this.state(runId)
    const request = run.inputs.get(requestId)
    if (!request)
      throw new KernelError(
        'request-unknown',
        `The request ${requestId} is not open: it was answered already, or never asked.`,
      )
    await this.#checkAnswer(run, request, answer)
    await this.#send(runId, answerItem(requestId, answer, by, metadata))
  }

  async tell(runId: RunId, message: string | UserMessage, by?: string, id?: string): Promise<void> {
    await this.#send(runId, messageItem(await this.state(runId), message, by, id))
  }

  async cancel(runId: RunId, reason?: string, by?: string): Promise<void> {
    const run = await this.state(runId)
    if (run.ended) return
    await this.#send(runId, {
      kind: 'cancel',
      id: 'cancel',
      ...(reason === undefined ? {} : { reason }),
      ...(by === undefined ? {} : { by }),
    })
  }

  async wake(runId: RunId, callId: CallId): Promise<void> {
    const run = await this.state(runId)
    if (run.ended) return
    await this.#send(runId, { kind: 'wake', id: `wake:${callId}:${run.seq}`, callId })
  }

  follow(
    runId: RunId,
    options: { readonly after?: number; readonly signal?: AbortSignal; readonly untilParked?: boolean } = {},
  ): AsyncIterable<LiveItem> {
    return follow(runId, options, {
      journal: this.ports.journal,
      clock: this.#clock,
      listen: (listener) => this.#listeners.addFor(runId, listener),
      drivenHere: () => this.#live.has(runId),
    })
  }

  subscribe(listener: (item: LiveItem) => void): () => void {
    return this.#listeners.add(listener)
  }

  state(runId: RunId): MaybePromise<RunState> {
    const live = this.#live.get(runId)
    if (live) return live.driver.run
    return then(this.ports.journal.load(runId), (events) => folded(runId, events))
  }

  async close({ patienceMs = 0 }: { readonly patienceMs?: number } = {}): Promise<void> {
    this.#closed = true
    const live = [...this.#live.values()]
    for (const { driver } of live) driver.giveUp(patienceMs > 0)
    const stopTimer = this.#clock.after(patienceMs, () => {
      for (const { driver } of live) driver.giveUp()
    })
    await Promise.all(live.map(({ done }) => done.catch(() => undefined)))
    stopTimer()
  }

  /** Drives the run here if nobody does. Undefined when somebody does; what was driven here may be over already. */
  async #ensureDriven(runId: RunId): Promise<{ readonly done: Promise<RunState> } | undefined> {
    if (this.#closed || this.#live.has(runId)) return undefined
    if (!(await this.ports.leases.acquire(runId, this.#holder, this.#tuning.leaseMs))) return undefined
    if (this.#live.has(runId)) return undefined
    try {
      const run = folded(runId, await this.ports.journal.load(runId))
      const inbox = await this.ports.inbox.peek(runId)
      if (this.#live.has(runId)) return undefined
      if (run.ended) {
        await this.ports.leases.release(runId, this.#holder)
        return { done: Promise.resolve(run) }
      }
      return { done: this.#takeUp(runId, run, this.#agent(run.submission.agent), inbox) }
    } catch (thrown) {
      if (!this.#live.has(runId)) await this.ports.leases.release(runId, this.#holder)
      throw thrown
    }
  }

  /** Takes up a run that stands in the journal. */
  #takeUp(runId: RunId, run: RunState, agent: Agent, inbox: readonly InboxItem[]): Promise<RunState> {
    const { driver, done } = this.#enter(runId, run, agent)
    driver.start(inbox)
    return done
  }

  #enter(runId: RunId, run: RunState, agent: Agent): Live {
    const driver = new Driver(this.#host, runId, run, agent, (error) => this.#stopped(driver, error))
    let settle: Live['settle'] = () => undefined
    const done = new Promise<RunState>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve(driver.run) : reject(error))
    })
    done.catch(() => undefined)
    const stopWatch = this.ports.inbox.watch(runId, () => this.#collect(driver))
    const live = { driver, since: run.seq, done, settle, stopWatch, stopRenew: this.#renew(driver) }
    this.#live.set(runId, live)
    return live
  }

  #collect(driver: Driver): void {
    if (driver.stopped) return
    const take = (found: readonly InboxItem[]): void => {
      if (driver.stopped || found.length === 0) return
      driver.take(found)
      driver.wake()
    }
    const again = (): void => void this.#clock.after(RETRY_MS, () => this.#collect(driver), true)
    try {
      const items = this.ports.inbox.peek(driver.runId)
      if (isPromise(items)) items.then(take, again)
      else take(items)
    } catch {
      again()
    }
  }

  #renew(driver: Driver): () => void {
    const { leaseMs } = this.#tuning
    let stop = (): void => undefined
    const later = (): void => {
      stop = this.#clock.after(leaseMs / 3, renew, true)
    }
    const renew = (): void => {
      if (driver.stopped) return
      const judge = (mine: boolean): void => (mine ? later() : driver.giveUp())
      try {
        const held = this.ports.leases.acquire(driver.runId, this.#holder, leaseMs)
        if (isPromise(held)) held.then(judge, later)
        else judge(held)
      } catch {
        // A store that is locked just now takes no run away; if somebody else took it up, the next append says so.
        later()
      }
    }
    later()
    return () => stop()
  }

  /** The driver ended its run, parked it, or lost it. */
  #stopped(driver: Driver, error: unknown): void {
    const { runId, run } = driver
    const live = this.#live.get(runId)
    if (live?.driver !== driver) return
    live.stopWatch()
    live.stopRenew()
    const leave = (): void => {
      this.#live.delete(runId)
      if (run.ended) this.#remember(runId, run)
      if (run.seq > live.since) this.#wakeParent(run)
      live.settle(error)
      if (error === undefined && !run.ended) void this.#lookAgain(driver).catch(() => undefined)
    }
    const isFree = error === undefined && run.ended !== undefined && this.ports.journal.begin !== undefined
    const released = isFree ? undefined : this.#release(runId)
    if (isPromise(released)) released.then(leave, leave)
    else leave()
  }

  /** A lease that cannot be given back ends by its time: what stopped the driver is worth telling, this is not. */
  #release(runId: RunId): MaybePromise<void> {
    try {
      return this.ports.leases.release(runId, this.#holder)
    } catch {
      return undefined
    }
  }

  /** A run may end before its submitter asks for it: then its fold need not be made a second time. */
  #remember(runId: RunId, run: RunState): void {
    this.#over.set(runId, run)
    if (this.#over.size > REMEMBERED) for (const oldest of this.#over.keys()) if (this.#over.delete(oldest)) break
  }

  /** Word may have come in between the driver's last look and the end of its lease. */
  async #lookAgain({ runId, taken }: Driver): Promise<void> {
    if (this.#closed) return
    const items = await this.ports.inbox.peek(runId)
    if (items.some(({ id }) => !taken.has(id))) await this.#ensureDriven(runId)
  }

  /** A sub-run that ended or parked is news for the call that started it. */
  #wakeParent(run: RunState): void {
    const { parent } = run.submission
    if (!parent || this.#closed) return
    const item: InboxItem = { kind: 'wake', id: `wake:${parent.callId}:${run.seq}`, callId: parent.callId }
    const live = this.#live.get(parent.runId)
    if (live) {
      // The parent is at work on something else while the call waits for an answer that may not be needed any more.
      live.driver.take([item])
      live.driver.wake()
      return
    }
    void this.#send(parent.runId, item).catch(() => undefined)
  }

  async #send(runId: RunId, item: InboxItem): Promise<void> {
    await this.ports.inbox.put(runId, item)
    await this.#ensureDriven(runId)
  }

  async #checkAnswer(run: RunState, request: InputRequest, answer: Json): Promise<void> {
    if (request.kind !== 'approval' || request.key !== CONSENT) return
    if (!isApprovalAnswer(answer))
      throw new KernelError(
        'answer-invalid',
        'An approval is answered with {"kind":"approve"}, to which remember ("run" or "always"), until, pattern and args may be added, or with {"kind":"deny","reason":"…"}.',
      )
    if (answer.kind === 'deny' || answer.args === undefined) return
    const name = run.call(request.callId).proposal.tool
    const tool = this.#agent(run.submission.agent).tools.find((candidate) => candidate.name === name)
    const checked = await tool?.input.check(answer.args)
    if (checked && !checked.ok) throw new KernelError('answer-invalid', invalid(name, checked.problems).message)
  }

  #agent(name: string): Agent {
    const agent = this.ports.agents(name)
    if (!agent)
      throw new KernelError(
        'agent-unknown',
        `There is no agent named ${JSON.stringify(name)} in this process. Add it to the configuration.`,
      )
    return agent
  }
}

/** Ended runs whose state is at hand. It never changes any more. */
const REMEMBERED = 8

/** How long to wait before trying again: for a run that another process drives, or a store that does not answer. */
const RETRY_MS = 200

function folded(runId: RunId, events: readonly RunEvent[]): RunState {
  if (events.length === 0) throw unknownRun(runId)
  return RunState.of(events)
}

const unknownRun = (runId: RunId): KernelError =>
  new KernelError('run-unknown', `There is no run ${runId} in this store.`)

function then<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

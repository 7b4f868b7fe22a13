import type { ContentBlock } from '../content/block.js'
import { text } from '../content/block.js'
import type { RunId } from '../content/ids.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { Command } from '../planner/command.js'
import type { InboxItem } from '../ports/journal.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { RunEvent, RunEventBody } from '../run/events.js'
import type { RunState } from '../run/state.js'
import type { Agent } from './agent.js'
import { bestEffort } from './best-effort.js'
import { Calls } from './calls.js'
import { armDeadline, timeUp } from './deadline.js'
import type { LiveItem } from './live.js'
import type { CheckedOutput } from './output.js'
import { checkOutput } from './output.js'
import type { DriverHost, RunDesk } from './run-desk.js'
import { Turns } from './turns.js'

/** How the run will end as soon as everything under way has its observation. */
type Ending = Omit<Extract<RunEventBody, { kind: 'run-ended' }>, 'kind'>

/**
 * Advances one run until it ends or only waits for people: the one place that has side effects. Each round asks the
 * planner until it has nothing new, commits everything that was decided in one append, and only then starts it.
 */
export class Driver implements RunDesk {
  readonly turns: Turns
  readonly calls: Calls
  /** Word that is in the journal and may be in the inbox still. */
  readonly taken = new Set<string>()
  #pending: RunEvent[] = []
  /** To be started after the next commit, and what the last one set free. */
  #starts: (() => void)[] = []
  readonly #ready: (() => void)[] = []
  #sync = false
  /** How many events of a new run were there before anything was decided; 0 once they are written. */
  #submitted = 0
  #begun: MaybePromise<void> = undefined
  #busy = false
  #again = false
  #committing = false
  #stopped = false
  #leaving = false
  /** Work without a turn or a call: a check that answers by promise. */
  #errands = 0
  #ending: Ending | undefined
  #deadline: (() => void) | undefined

  constructor(
    readonly host: DriverHost,
    readonly runId: RunId,
    readonly run: RunState,
    readonly agent: Agent,
    /** The run ended, parked or was given up; called once. */
    readonly onStopped: (error?: unknown) => void,
  ) {
    this.turns = new Turns(this)
    this.calls = new Calls(this)
  }

  /**
   * Starts a new run. Its submission is written with what is decided at once, in one append; returns when that is
   * durable, and throws what the journal throws: then there is no such run.
   */
  begin(submission: readonly RunEvent[]): MaybePromise<void> {
    this.#pending.push(...submission)
    this.#submitted = submission.length
    this.#armDeadline()
    this.#pump()
    return this.#begun
  }

  /** Takes up a run that stands in the journal, with what was under way. */
  start(inbox: readonly InboxItem[]): void {
    this.#guard(() => {
      this.turns.takeUp()
      // First of all: what a person answered too late must not begin.
      this.#armDeadline()
      this.#takeUp()
      this.take(inbox)
    })
    this.#pump()
  }

  /** Gives the run up here without ending it. `gently`: begins nothing new, and leaves once nothing would be in doubt. */
  giveUp(gently = false): void {
    this.#leaving = true
    if (!gently || !this.calls.mustEnd) this.#stop(undefined)
  }

  get stopped(): boolean {
    return this.#stopped
  }

  get ending(): boolean {
    return this.#ending !== undefined || this.run.ended !== undefined
  }

  record(body: RunEventBody): void {
    const event = body as Omit<RunEventBody, 'seq' | 'at'> as RunEvent & { seq: number; at: number }
    event.seq = this.run.seq + 1
    event.at = this.host.ports.clock.now()
    this.run.apply(event)
    this.#pending.push(event)
  }

  deliver(body: RunEventBody, committed?: () => void): void {
    if (this.#stopped) return
    try {
      this.record(body)
    } catch (thrown) {
      this.#stop(thrown)
    }
    if (committed) this.#starts.push(committed)
    this.#pump()
  }

  afterCommit(start: () => void, sync = false): void {
    this.#starts.push(start)
    if (sync) this.#sync = true
  }

  wake(): void {
    this.#pump()
  }

  errand<T>(work: PromiseLike<T>, then: (result: T) => void, failed: (thrown: unknown) => void): void {
    this.#errands++
    const back = (next: () => void): void => {
      this.#errands--
      if (this.#stopped) return
      this.#guard(next)
      this.#pump()
    }
    work.then(
      (result) => back(() => then(result)),
      (thrown) => back(() => failed(thrown)),
    )
  }

  publish(item: LiveItem): void {
    this.host.publish(item)
  }

  /** Takes word from outside into the journal, then out of the inbox. */
  take(items: readonly InboxItem[]): void {
    const fresh = items.filter(({ id }) => !this.taken.has(id))
    if (fresh.length === 0 || this.#leaving) return
    this.#guard(() => {
      for (const item of fresh) this.#takeOne(item)
    })
    const ids = fresh.map(({ id }) => id)
    for (const id of ids) this.taken.add(id)
    this.#starts.push(() => this.#remove(ids))
    this.#again = true
  }

  /** Ends the run, after everything that is under way has stopped and has its observation. */
  end(ending: Ending, reason: string): void {
    if (this.ending) return
    this.#ending = ending
    this.turns.stopAll()
    this.calls.cancelAll(reason)
  }

  fail(code: string, message: string, blocks: readonly ContentBlock[] = []): void {
    this.end({ state: 'failed', blocks, error: { code, message, retryable: false } }, message)
  }

  /** An inbox that fails must not cost the result of a call that the same word began. */
  #remove(ids: readonly string[]): void {
    const removed = (): void => {
      for (const id of ids) this.taken.delete(id)
    }
    // What fails stays in `taken`, and whoever takes the run up reads what it was for in the journal.
    bestEffort(() => {
      const done = this.host.ports.inbox.remove(this.runId, ids)
      return isPromise(done) ? done.then(removed) : removed()
    })
  }

  #takeOne(item: InboxItem): void {
    if (item.kind === 'answer') this.calls.answer(item)
    else if (item.kind === 'wake') this.calls.enter(item.callId)
    else if (item.kind === 'cancel') {
      if (this.ending) return
      this.record({
        kind: 'cancel-requested',
        ...(item.reason === undefined ? {} : { reason: item.reason }),
        ...(item.by === undefined ? {} : { by: item.by }),
      })
      this.#cancelRun()
    } else if (!this.ending && !this.run.received.has(item.id))
      this.record({
        kind: 'message-received',
        message: item.message,
        scope: ROOT_SCOPE,
        messageId: item.id,
        ...(item.by === undefined ? {} : { by: item.by }),
      })
  }

  #cancelRun(): void {
    this.end({ state: 'canceled', blocks: [] }, this.run.cancelRequested?.reason ?? 'The run was canceled.')
  }

  #takeUp(): void {
    this.calls.consents.expire()
    for (const callId of [...this.run.unsettled]) this.calls.advance(callId, true)
    if (this.run.cancelRequested) this.#cancelRun()
  }

  #armDeadline(): void {
    const up = timeUp(this.run, this.host.ports.clock.now())
    if (up) {
      this.fail(up.code, up.message)
      return
    }
    this.#deadline = armDeadline(this.run, this.host.ports.clock, ({ code, message }) => {
      if (this.#stopped) return
      this.#guard(() => this.fail(code, message))
      this.#pump()
    })
  }

  /** Runs rounds until there is nothing to do here. Never re-entered: what is delivered meanwhile makes another round. */
  #pump(): void {
    if (this.#busy || this.#committing) {
      this.#again = true
      return
    }
    this.#busy = true
    try {
      do {
        this.#again = false
        if (this.#ready.length > 0) for (const start of this.#ready.splice(0)) if (!this.#stopped) start()
        if (this.#stopped) return
        this.#plan()
        this.#commit()
      } while (!this.#committing && (this.#again || this.#ready.length > 0))
    } catch (thrown) {
      this.#fall(thrown)
    } finally {
      this.#busy = false
    }
    if (!this.#stopped && !this.#committing) this.#rest()
  }

  #plan(): void {
    if (this.#leaving) return
    const { run } = this
    this.calls.drainQueue()
    while (!this.ending) {
      const before = run.seq
      for (const command of this.agent.planner.next(run)) {
        if (this.ending) break
        this.#obey(command)
      }
      if (run.seq === before) break
    }
    const isQuiet = !this.turns.active && run.openTurns.size === 0 && run.unsettled.size === 0
    if (this.#ending && !run.ended && isQuiet && this.calls.stopGivenAway())
      this.record({ kind: 'run-ended', ...this.#ending })
  }

  #commit(): void {
    if (this.#pending.length === 0) {
      if (this.#starts.length > 0) this.#ready.push(...this.#starts.splice(0))
      return
    }
    const events = this.#pending
    const starts = this.#starts
    this.#pending = []
    this.#starts = []
    const appended = this.#append(events)
    if (!isPromise(appended)) {
      this.#durable(events, starts)
      return
    }
    this.#committing = true
    appended.then(
      () => {
        this.#committing = false
        if (this.#stopped) return
        this.#durable(events, starts)
        this.#pump()
      },
      (thrown) => {
        this.#committing = false
        this.#stop(thrown)
      },
    )
  }

  #append(events: readonly RunEvent[]): MaybePromise<void> {
    const sync = this.#sync
    this.#sync = false
    if (this.#submitted === 0) return this.host.ports.journal.append(this.runId, events, sync)
    this.#submitted = 0
    try {
      this.#begun = this.host.begin(this.runId, events, sync)
    } catch (thrown) {
      this.#begun = Promise.reject(thrown)
    }
    return this.#begun
  }

  /** Stops by an error. A new run that nothing could be decided for is there all the same. */
  #fall(error: unknown): void {
    const submission = this.#pending.slice(0, this.#submitted)
    if (submission.length === 0) {
      this.#stop(error)
      return
    }
    const leave = (): void => {
      this.#durable(submission, [])
      this.#stop(error)
    }
    const written = this.#append(submission)
    if (!isPromise(written)) leave()
    else {
      this.#committing = true
      written.then(leave, (thrown) => this.#stop(thrown))
    }
  }

  /** Only now may anybody see the events, and only now may what they decided begin. */
  #durable(events: readonly RunEvent[], starts: readonly (() => void)[]): void {
    if (this.host.watched) for (const event of events) this.host.publish({ kind: 'event', runId: this.runId, event })
    if (starts.length > 0) this.#ready.push(...starts)
  }

  /** Nothing to do in this round: wait, park, or say that the planner is stuck. */
  #rest(): void {
    const isBusy = this.turns.active || this.#errands > 0 || this.calls.active
    if (this.run.ended || (this.#leaving && !this.calls.mustEnd) || (!isBusy && this.run.inputs.size > 0)) {
      this.#stop(undefined)
      return
    }
    if (isBusy) return
    this.#guard(() =>
      this.fail('planner-stuck', `The planner ${this.agent.planner.name} has nothing to do and the run has not ended.`),
    )
    this.#pump()
  }

  #obey(command: Command): void {
    switch (command.kind) {
      case 'ask':
        this.turns.ask(command)
        return
      case 'call':
        this.calls.take(command.callId)
        return
      case 'skip':
        this.calls.skip(command.callId, command.reason)
        return
      case 'cancel':
        this.calls.cancel(command.callId, command.reason)
        return
      case 'write':
        this.turns.write(command)
        return
      case 'tell':
        this.record({ kind: 'message-received', message: command.message, scope: command.scope })
        return
      case 'open':
        this.record({ kind: 'scope-opened', scope: command.scope, parent: command.parent, goal: command.goal })
        return
      case 'close':
        this.record({ kind: 'scope-closed', scope: command.scope, outcome: command.outcome, blocks: command.blocks })
        return
      case 'finish':
        this.#finish(command.blocks)
        return
      case 'fail':
        this.fail(command.code, command.message, command.blocks)
        return
      case 'reject':
        this.end({ state: 'rejected', blocks: [text(command.message)] }, command.message)
        return
    }
  }

  #finish(blocks: readonly ContentBlock[]): void {
    const { output } = this.agent
    if (!output) {
      this.end({ state: 'completed', blocks }, COMPLETE)
      return
    }
    const turnId = this.run.lastTurn()?.turnId
    const done = (checked: CheckedOutput): void => {
      if (this.ending) return
      if (checked.ok) this.end({ state: 'completed', blocks, output: checked.value }, COMPLETE)
      else if (turnId) this.record({ kind: 'output-rejected', turnId, problems: checked.problems })
    }
    const checked = checkOutput(blocks, output.schema)
    if (!isPromise(checked)) done(checked)
    else if (this.#errands === 0)
      this.errand(checked, done, (thrown) => done({ ok: false, problems: [String(thrown)] }))
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (thrown) {
      this.#stop(thrown)
    }
  }

  #stop(error: unknown): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#deadline?.()
    this.turns.abandon()
    this.calls.abandon()
    this.onStopped(error)
  }
}

const COMPLETE = 'The run is complete.'

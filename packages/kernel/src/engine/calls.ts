import { toolDigest } from '../broker/consent.js'
import type { Intake } from '../broker/intake.js'
import { takeIn } from '../broker/intake.js'
import { Slots } from '../broker/slots.js'
import { text } from '../content/block.js'
import type { CallId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import { HOST } from '../content/provenance.js'
import type { TenonError } from '../errors/error-table.js'
import { errorRecord } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import { boundsWithin } from '../ledger/landing.js'
import type { InboxItem } from '../ports/journal.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { HandGrant, InputNeed, Tool } from '../ports/tool.js'
import type { Amounts } from '../run/amounts.js'
import type { CallState } from '../run/call-state.js'
import type { ApprovalAnswer, Outcome, RunEventBody } from '../run/events.js'
import { CONSENT } from '../run/state.js'
import type { CallDesk } from './call-runner.js'
import { CallRunner } from './call-runner.js'
import { answered, Consents, DOUBT, denied } from './consents.js'
import { callLimitReached, isUsedUp, leftOf, shareOf, unknownSpending } from './limits.js'
import { loadReferenced } from './load-referenced.js'
import type { RunDesk } from './run-desk.js'

/**
 * The calls of one run. A call moves here and nowhere else: proposed, asked, queued, begun, waiting, settled. It is
 * entered from the planner's command, from a restart, from an answer and from a free slot, always by `advance`.
 */
export class Calls {
  readonly #running = new Map<CallId, CallRunner>()
  readonly #taking = new Set<CallId>()
  readonly #slots: Slots
  readonly #desk: CallDesk
  /** Calls that wait for a slot; of those that were begun before, the ones to be entered again. */
  readonly #entering = new Set<CallId>()
  readonly #loaded = new Map<CallId, Json>()

  readonly consents: Consents
  #stopping: 'under way' | 'over' | undefined

  constructor(readonly driver: RunDesk) {
    this.consents = new Consents(driver, {
      settle: (callId, outcome, error) => this.#settle(callId, outcome, error),
      begin: (callId, call, tool) => this.#begin(callId, call, tool),
      advance: (callId) => this.advance(callId),
    })
    this.#slots = new Slots(driver.host.tuning.calls)
    this.#desk = this.#makeDesk()
  }

  /** A hand is at work. */
  get active(): boolean {
    return this.#running.size > 0
  }

  /** A hand is at work that cannot be found again and whose work must not be done twice. */
  get mustEnd(): boolean {
    for (const callId of this.#running.keys()) {
      const { handle, proposal } = this.driver.run.call(callId)
      if (handle === undefined && proposal.effect === 'once') return true
    }
    return false
  }

  /** Reads a ready step as a proposal and lets it go as far as it can. */
  take(callId: CallId): void {
    const { driver } = this
    if (this.#taking.has(callId)) return
    if (driver.run.calls.has(callId)) throw new KernelError('planner-invalid', `The planner called ${callId} twice.`)
    const over = callLimitReached(driver.run)
    if (over) {
      driver.fail('limit-reached', over)
      return
    }
    const step = driver.run.step(callId)
    const loading = loadReferenced(step, driver.run, this.#loaded, driver.host.ports.artifacts)
    if (loading) {
      this.#taking.add(callId)
      driver.errand(
        loading,
        () => this.#takeLoaded(callId),
        () => this.#takeLoaded(callId),
      )
      return
    }
    this.#takeLoaded(callId)
  }

  skip(callId: CallId, reason: string): void {
    this.#propose(this.#bare(callId))
    this.#settle(callId, 'skipped', new KernelError('call-skipped', reason))
  }

  /** A planner says so until the call has settled: what was told to stop is not told again. */
  cancel(callId: CallId, reason: string): void {
    const call = this.driver.run.calls.get(callId)
    if (call && call.phase !== 'settled' && !this.#running.get(callId)?.isEnding) this.#cancel(callId, call, reason)
  }

  cancelAll(reason: string): void {
    for (const callId of [...this.driver.run.unsettled]) this.#cancel(callId, this.driver.run.call(callId), reason)
  }

  /** Enters the hand of a call that waits elsewhere: its sub-run or its peer has news. */
  enter(callId: CallId): void {
    const call = this.driver.run.calls.get(callId)
    if (call?.phase !== 'begun' || call.handle === undefined || this.#running.has(callId)) return
    const tool = this.#tool(call)
    if (tool) this.#begin(callId, call, tool)
  }

  /**
   * Stops what the run gave away and nobody joined, before the run ends: who takes the run over in between does it
   * again. True when nothing is left to wait for.
   */
  stopGivenAway(): boolean {
    const { run, host } = this.driver
    if (this.#stopping !== undefined || run.givenAway.size === 0) return this.#stopping !== 'under way'
    const stops = [...run.givenAway].flatMap((callId) => {
      const call = run.call(callId)
      return call.handle === undefined ? [] : (this.#tool(call)?.stop?.(call.handle) ?? [])
    })
    this.#stopping = 'under way'
    const over = new Promise<void>((resolve) => {
      const forget = host.ports.clock.after(host.tuning.graceMs, resolve)
      void Promise.allSettled(stops).then(() => {
        forget()
        resolve()
      })
    })
    const done = (): void => {
      this.#stopping = 'over'
    }
    this.driver.errand(over, done, done)
    return false
  }

  /** Calls that waited for a slot. */
  drainQueue(): void {
    if (this.#slots.waiting === 0) return
    for (const callId of this.#slots.next()) this.advance(callId)
  }

  abandon(): void {
    for (const runner of this.#running.values()) runner.abandon()
    this.#running.clear()
  }

  /** Moves a call as far as it can go now. `restored`: what was begun was begun by a process that is gone. */
  advance(callId: CallId, restored = false): void {
    const call = this.driver.run.call(callId)
    if (call.phase === 'settled' || this.#running.has(callId)) return
    const tool = this.#tool(call)
    if (!tool) {
      this.#settle(
        callId,
        'failed',
        new KernelError('tool-unknown', `The tool ${call.proposal.tool} is no longer there.`),
      )
      return
    }
    if (call.phase === 'begun') this.#resume(callId, call, tool, restored)
    else if (call.refusal) this.#settle(callId, 'denied', denied('The user declined this call', call.refusal.reason))
    else if (call.waitingFor === 0 && this.consents.mayBegin(callId, call, tool)) this.#begin(callId, call, tool)
  }

  /** An answer from outside. One that nobody waits for any more changes nothing. */
  answer(item: Extract<InboxItem, { kind: 'answer' }>): void {
    const { driver } = this
    this.consents.expire()
    const request = driver.run.inputs.get(item.requestId)
    if (!request || driver.ending) return
    const { callId } = request
    const call = driver.run.call(callId)
    if (request.key === CONSENT) {
      this.consents.decide(item, call, item.answer as ApprovalAnswer)
    } else {
      driver.record(answered(item))
      if (request.key === DOUBT && this.#settleDoubt(callId, item.answer)) return
    }
    this.advance(callId)
  }

  /** A need that a hand reported becomes a request of the run, once. */
  need(callId: CallId, need: InputNeed): void {
    const { run } = this.driver
    for (const open of run.inputs.values()) if (open.callId === callId && open.key === need.key) return
    if (run.call(callId).answers.some((answer) => answer.key === need.key)) return
    this.driver.deliver({
      kind: 'input-requested',
      request: {
        requestId: run.nextRequestId(callId),
        kind: need.kind,
        callId,
        key: need.key,
        prompt: this.driver.host.ports.redact(need.prompt),
        ...(need.schema === undefined ? {} : { schema: need.schema }),
        binding: '',
        resume: need.resume,
        ...(need.forHost ? { forHost: true } : {}),
        ...(need.via === undefined ? {} : { via: need.via }),
      },
    })
  }

  withdraw(callId: CallId, key: string): void {
    for (const open of this.driver.run.inputs.values())
      if (open.callId === callId && open.key === key)
        this.driver.deliver({ kind: 'input-answered', requestId: open.requestId, answer: null, how: 'withdrawn' })
  }

  #takeLoaded(callId: CallId): void {
    const { driver } = this
    if (driver.ending) return
    const desk = {
      run: driver.run,
      runId: driver.runId,
      tools: driver.turns.tools(),
      digest: driver.host.ports.digest,
      loaded: this.#loaded,
    }
    const intake = takeIn(driver.run.step(callId), desk)
    if (!isPromise(intake)) {
      this.#taking.delete(callId)
      this.#takeProposal(intake)
      return
    }
    this.#taking.add(callId)
    const landed = (done: Intake): void => {
      this.#taking.delete(callId)
      if (!driver.ending) this.#takeProposal(done)
    }
    driver.errand(intake, landed, (thrown) => {
      throw thrown
    })
  }

  #takeProposal(intake: Intake): void {
    this.#propose(intake)
    if (intake.problem) this.#settle(intake.proposal.callId, 'failed', intake.problem)
    else this.advance(intake.proposal.callId)
  }

  #propose(intake: Intake): void {
    this.driver.record({ seq: 0, at: 0, kind: 'call-proposed', call: intake.proposal })
  }

  #bare(callId: CallId): Intake {
    const { block, scope, refs } = this.driver.run.step(callId)
    const tool = this.driver.turns.tools().get(block.name)
    return {
      proposal: {
        callId,
        scope,
        tool: block.name,
        args: block.args,
        refs,
        toolDigest: tool ? toolDigest(tool, this.driver.host.ports.digest) : '',
        origin: tool?.origin ?? null,
        effect: tool?.effectOf?.(block.args) ?? tool?.effect ?? 'once',
        key: `${this.driver.runId}:${callId}`,
        provenance: HOST,
      },
      tool,
      problem: undefined,
    }
  }

  #tool(call: CallState): Tool | undefined {
    return this.driver.turns.tools().get(call.proposal.tool)
  }

  /** A call whose hand is not at work any more, or not yet again. */
  #resume(callId: CallId, call: CallState, tool: Tool, restored: boolean): void {
    if (call.answers.length > 0 || this.#entering.has(callId)) this.#begin(callId, call, tool)
    else if (call.waitingFor > 0 || !restored) return
    else if (call.handle !== undefined || call.proposal.effect !== 'once') this.#begin(callId, call, tool)
    else if (this.driver.agent.policy.inDoubt === 'ask-user') this.consents.askAboutDoubt(callId, call)
    else this.#settle(callId, 'in-doubt', inDoubt(call))
  }

  /** False when the call is to run after all. */
  #settleDoubt(callId: CallId, answer: Json): boolean {
    const call = this.driver.run.call(callId)
    if (answer === 'did-not-happen') return false
    if (answer === 'happened')
      this.#record(callId, 'finished', 'The user confirms that this call took effect. Its result is not known.')
    else this.#settle(callId, 'in-doubt', inDoubt(call))
    return true
  }

  /** Enters a hand, now or when a slot is free. */
  #begin(callId: CallId, call: CallState, tool: Tool): void {
    if (this.#slots.take(callId, tool)) {
      this.#entering.delete(callId)
      const budget = tool.spends && call.attempts === 0 ? this.#share(callId) : undefined
      if (budget && isUsedUp(budget)) {
        this.#slots.release(tool.name)
        this.#settle(callId, 'failed', new KernelError('limit-reached', NOTHING_LEFT))
      } else this.#enterHand(callId, call, tool, budget)
    } else this.#entering.add(callId)
  }

  #enterHand(callId: CallId, call: CallState, tool: Tool, budget?: Amounts): CallRunner {
    const { effect, key } = call.proposal
    const begun = { seq: 0, at: 0, kind: 'call-begun', callId, effect, key, attempt: call.attempts + 1 } as const
    this.driver.record(budget ? { ...begun, budget } : begun)
    const runner = new CallRunner(this.#desk, callId, call, tool)
    this.#running.set(callId, runner)
    this.driver.afterCommit(() => runner.start(), effect === 'once')
    return runner
  }

  /** An equal share of what is left for each call of its turn that has none yet, and one for the run itself. */
  #share(callId: CallId): Amounts | undefined {
    const { run } = this.driver
    let sharers = 0
    for (const sibling of run.turn(run.step(callId).turnId).calls) {
      const call = run.calls.get(sibling)
      const tool = this.driver.turns.tools().get(call?.proposal.tool ?? run.step(sibling).block.name)
      if (tool?.spends && call?.phase !== 'settled' && call?.budget === undefined) sharers++
    }
    return shareOf(leftOf(run), sharers + 1)
  }

  #cancel(callId: CallId, call: CallState, reason: string): void {
    const { driver } = this
    for (const open of [...driver.run.inputs.values()])
      if (open.callId === callId)
        driver.record({ kind: 'input-answered', requestId: open.requestId, answer: null, how: 'withdrawn' })
    this.#slots.forget(callId)
    const tool = this.#tool(call)
    let runner = this.#running.get(callId)
    if (!runner && call.phase === 'begun' && call.handle !== undefined && tool) {
      this.#slots.seize(callId, tool)
      runner = this.#enterHand(callId, call, tool)
    }
    const running = runner
    if (running) driver.afterCommit(() => running.cancel(reason))
    else if (isCutOff(call)) this.#settle(callId, 'in-doubt', inDoubt(call))
    else this.#settle(callId, 'canceled', new KernelError('call-canceled', `Not run: ${reason}`))
  }

  #settle(callId: CallId, outcome: Outcome, error: TenonError): void {
    this.#record(callId, outcome, error.message, error)
  }

  #record(callId: CallId, outcome: Outcome, message: string, error?: TenonError): void {
    this.#slots.forget(callId)
    const spent = unknownSpending(this.driver.run.call(callId), outcome)
    this.driver.record({
      kind: 'call-settled',
      callId,
      outcome,
      content: [text(message)],
      ...(error ? { error: errorRecord(error) } : {}),
      provenance: HOST,
      ...(spent ? { spent } : {}),
    })
  }

  #makeDesk(): CallDesk {
    const { driver } = this
    const over = (callId: CallId, tool: Tool): void => {
      this.#running.delete(callId)
      this.#slots.release(tool.name)
    }
    return {
      runId: driver.runId,
      clock: driver.host.ports.clock,
      tuning: driver.host.tuning,
      bounds: () => boundsWithin(driver.agent.model.contextWindow, driver.host.tuning.output),
      redact: driver.host.ports.redact,
      artifacts: driver.host.ports.artifacts,
      deliver: (body: RunEventBody, committed?: () => void) => driver.deliver(body, committed),
      callOver: over,
      need: (callId: CallId, need: InputNeed) => this.need(callId, need),
      withdraw: (callId: CallId, key: string) => this.withdraw(callId, key),
      grant: (callId: CallId, grant: HandGrant) => this.consents.passOn(callId, grant),
      handWaits: (callId: CallId, tool: Tool) => {
        over(callId, tool)
        this.advance(callId)
        driver.wake()
      },
      publish: driver.publish.bind(driver),
      watched: () => driver.host.watched,
    }
  }
}

const NOTHING_LEFT = 'Not begun: nothing is left of the limits of the run for work of other agents.'

/** Of a call whose hand is not at work: it was, in a process that is gone, and may have taken effect. */
const isCutOff = ({ phase, handle, waitingFor, answers, proposal }: CallState): boolean =>
  phase === 'begun' && handle === undefined && waitingFor === 0 && answers.length === 0 && proposal.effect !== 'pure'

const inDoubt = (call: CallState): KernelError =>
  new KernelError(
    'call-in-doubt',
    `The process stopped while ${call.proposal.tool} ran. Whether it took effect is unknown; find out before you call it again.`,
  )

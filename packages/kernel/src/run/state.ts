import type { ToolResultBlock } from '../content/block.js'
import { text } from '../content/block.js'
import type { CallId, RequestId, ScopeId, TurnId } from '../content/ids.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { Json } from '../content/json.js'
import { canonicalJson } from '../content/json.js'
import type { UserMessage } from '../content/message.js'
import { hostMessage } from '../content/message.js'
import { HOST } from '../content/provenance.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { PartRecord } from '../ledger/part.js'
import type { Amounts } from './amounts.js'
import { type CallState, newCall, type StepState, type TurnState } from './call-state.js'
import type {
  ApprovalAnswer,
  Grant,
  InputRequest,
  Proposal,
  RunEvent,
  RunEventOf,
  RunStateName,
  Submission,
} from './events.js'
import { ScopeState } from './scope-state.js'
import { StepGraph } from './step-graph.js'
import { RunTotals } from './totals.js'

/**
 * A run, as a fold over its events: changed by `apply` and by nothing else, with an index for everything that a
 * planner asks, so that a step costs the same at the tenth and at the ten-thousandth. Everyone but the driver reads.
 */
export class RunState {
  seq = 0
  /** Time of the last event, epoch milliseconds. */
  at = 0
  submission!: Submission
  ended: RunEventOf<'run-ended'> | undefined
  cancelRequested: RunEventOf<'cancel-requested'> | undefined
  /** The run that this one was taken from, where it is a fork. */
  forkedFrom: RunEventOf<'run-forked'>['from'] | undefined
  /** How often a final answer was sent back for its shape since the last one that had calls. */
  outputRejections = 0
  /** What was wrong with the last of them. */
  outputProblems: readonly string[] = []
  readonly turns = new Map<TurnId, TurnState>()
  readonly openTurns = new Set<TurnId>()
  readonly calls = new Map<CallId, CallState>()
  readonly steps = new StepGraph(this)
  readonly unsettled = new Set<CallId>()
  /** Settled calls whose work goes on elsewhere, and that nobody has joined. */
  readonly givenAway = new Set<CallId>()
  /** Requests that are open, in the order in which they were asked. */
  readonly inputs = new Map<RequestId, InputRequest>()
  readonly scopes = new Map<ScopeId, ScopeState>()
  readonly parts = new Map<string, PartRecord>()
  readonly grants: Grant[] = []
  /** Ids of inbox messages that are in the journal, so that a second delivery changes nothing. */
  readonly received = new Set<string>()
  readonly totals = new RunTotals()
  /** Calls in doubt or denied, by tool and arguments: what a repeated proposal stands in for. */
  readonly #unhappy = new Map<string, CallId>()
  #requests = 0

  static of(events: readonly RunEvent[]): RunState {
    const run = new RunState()
    for (const event of events) run.apply(event)
    return run
  }

  get state(): RunStateName {
    if (this.ended) return this.ended.state
    if (this.inputs.size > 0 && this.idle) {
      for (const request of this.inputs.values()) if (request.kind !== 'auth') return 'input-required'
      return 'auth-required'
    }
    return this.turns.size === 0 ? 'submitted' : 'working'
  }

  /** Nothing goes on but waiting for people. */
  get idle(): boolean {
    if (this.openTurns.size > 0) return false
    for (const callId of this.unsettled) {
      const call = this.call(callId)
      if (call.waitingFor === 0 || call.answers.length > 0) return false
    }
    return true
  }

  get turnCount(): number {
    return this.turns.size
  }

  apply(event: RunEvent): void {
    if (event.seq !== this.seq + 1)
      throw new KernelError(
        'journal-unreadable',
        `Event ${event.seq} follows event ${this.seq}: the journal has a gap.`,
      )
    if (event.kind === 'run-forked') this.totals.skipTime(event.at)
    else this.totals.passTime(event.at, this.seq > 0 && this.inputs.size > 0 && this.idle)
    this.seq = event.seq
    this.at = event.at
    switch (event.kind) {
      case 'run-submitted':
        this.submission = event
        this.#openScope(ROOT_SCOPE, ROOT_SCOPE, event.goal)
        return
      case 'part-set':
        this.parts.set(event.part.partId, event.part)
        return
      case 'message-received':
        if (event.messageId !== undefined) this.received.add(event.messageId)
        if (event.message.provenance.source === 'user') this.#forgetDenials()
        this.scope(event.scope).transcript.wait(event.message)
        return
      case 'turn-began':
        this.#beginTurn(event)
        return
      case 'block-ended':
        this.#endBlock(event)
        return
      case 'turn-ended':
        this.#endTurn(event)
        return
      case 'output-rejected':
        this.outputRejections++
        this.outputProblems = event.problems
        this.scope(this.turn(event.turnId).scope).transcript.wait(
          hostMessage(`The answer does not have the required shape: ${event.problems.join('; ')}. Answer again.`),
        )
        return
      case 'scope-opened':
        this.#openScope(event.scope, event.parent, event.goal)
        return
      case 'scope-closed':
        this.scope(event.scope).close(event.outcome, event.blocks)
        return
      case 'call-proposed':
        this.#propose(event.call, event.at)
        return
      case 'call-amended':
        this.call(event.callId).args = event.args
        return
      case 'call-begun': {
        const call = this.call(event.callId)
        call.phase = 'begun'
        call.attempts = event.attempt
        if (call.beganAt === 0) call.beganAt = event.at
        // Without new ones the hand was cut short: it is given again what it may not have used.
        if (call.answers.length > 0) {
          call.delivered = call.answers
          call.answers = []
        }
        if (event.budget && call.budget === undefined) {
          call.budget = event.budget
          this.totals.setAside(event.budget)
        }
        return
      }
      case 'call-handle':
        this.call(event.callId).handle = event.handle
        return
      case 'call-settled':
        this.#settle(event)
        return
      case 'input-requested':
        this.#requests++
        this.inputs.set(event.request.requestId, event.request)
        this.call(event.request.callId).waitingFor++
        return
      case 'input-answered':
        this.#answer(event)
        return
      case 'grant-added':
        this.grants.push(event.grant)
        return
      case 'view-rewritten':
        this.scope(event.scope).growTranscript(this)
        this.scope(event.scope).transcript.rewrite(event.rewrite)
        return
      case 'run-forked':
        this.forkedFrom = event.from
        this.#leaveBehind()
        return
      case 'cancel-requested':
        this.cancelRequested = event
        return
      case 'run-ended':
        this.ended = event
        return
      default:
        throw new KernelError(
          'journal-unreadable',
          `Event ${(event as RunEvent).seq} is of the unknown kind ${(event as RunEvent).kind}; a newer Tenon wrote it. Update Tenon to read this run.`,
        )
    }
  }

  turn(turnId: TurnId): TurnState {
    return known(this.turns.get(turnId), 'turn', turnId)
  }

  call(callId: CallId): CallState {
    return known(this.calls.get(callId), 'call', callId)
  }

  step(callId: CallId): StepState {
    return known(this.steps.all.get(callId), 'step', callId)
  }

  scope(scope: ScopeId): ScopeState {
    return known(this.scopes.get(scope), 'scope', scope)
  }

  lastTurn(scope: ScopeId = ROOT_SCOPE): TurnState | undefined {
    return this.scopes.get(scope)?.lastTurn
  }

  /** Steps of the scope that can run now, in the order in which they were written. */
  ready(scope: ScopeId = ROOT_SCOPE): ReadonlySet<CallId> {
    return this.scope(scope).ready
  }

  /** Steps of the scope that can never run: a dependency did not finish, or there is none of that name. */
  blocked(scope: ScopeId = ROOT_SCOPE): ReadonlySet<CallId> {
    return this.scope(scope).blocked
  }

  /** Calls of the scope that were proposed and have not settled. */
  openCalls(scope: ScopeId = ROOT_SCOPE): number {
    return this.scope(scope).openCalls
  }

  /** The full value of a step, for references: the structured result, or the text where there is none. */
  valueOf(name: string): Json {
    const step = this.steps.named(name)
    const call = step && this.calls.get(step.callId)
    if (call?.outcome !== 'finished')
      throw new KernelError('reference-dead', `There is no finished step named ${name}.`)
    if (call.value !== undefined) return call.value
    return call.content.map((block) => (block.kind === 'text' ? block.text : '')).join('\n')
  }

  /** The call that an equal proposal would stand in for without saying so. */
  unhappyTwin(tool: string, args: Json): CallId | undefined {
    return this.#unhappy.size === 0 ? undefined : this.#unhappy.get(twinKey(tool, args))
  }

  /** The observation that the history holds for a call, as it stands now. */
  observation(callId: CallId): ToolResultBlock {
    const { block } = this.step(callId)
    const call = this.calls.get(callId)
    const settled = call?.phase === 'settled'
    return {
      kind: 'tool-result',
      callId,
      name: block.name,
      content: call && settled ? call.content : [text(call ? IN_PROGRESS : NEVER_RUN)],
      isError: settled ? call.outcome !== 'finished' : call === undefined,
      provenance: call?.provenance ?? HOST,
    }
  }

  nextTurnId(): TurnId {
    return `t${this.turns.size + 1}` as TurnId
  }

  nextRequestId(callId: CallId): RequestId {
    return `${callId}/q${this.#requests + 1}` as RequestId
  }

  #openScope(scope: ScopeId, parent: ScopeId, goal: UserMessage): void {
    this.scopes.set(scope, new ScopeState(parent, goal))
  }

  #beginTurn(event: RunEventOf<'turn-began'>): void {
    const scope = this.scope(event.scope)
    scope.growTranscript(this)
    const turn: TurnState = {
      turnId: event.turnId,
      scope: event.scope,
      purpose: event.purpose,
      references: event.references === true,
      blocks: [],
      calls: [],
      outcome: 'open',
      finish: undefined,
      error: undefined,
      usage: null,
      cost: 0,
      beganAt: event.at,
      endedAt: 0,
    }
    this.turns.set(event.turnId, turn)
    this.openTurns.add(event.turnId)
    scope.turns.push(turn)
  }

  #endBlock(event: RunEventOf<'block-ended'>): void {
    const turn = this.turn(event.turnId)
    turn.blocks.push(event.block)
    if (event.block.kind !== 'tool-call') return
    turn.calls.push(event.block.callId)
    this.steps.add(turn, event.block)
  }

  #endTurn(event: RunEventOf<'turn-ended'>): void {
    const turn = this.turn(event.turnId)
    turn.outcome = event.outcome
    turn.finish = event.finish
    turn.error = event.error
    turn.usage = event.usage
    turn.cost = event.cost ?? 0
    turn.endedAt = event.at
    this.openTurns.delete(event.turnId)
    this.totals.addTurn(event.usage, turn.cost)
    this.scope(turn.scope).endTurn(turn)
    if (turn.calls.length > 0) this.outputRejections = 0
  }

  #propose(proposal: Proposal, at: number): void {
    const { callId } = proposal
    this.calls.set(callId, newCall(proposal, at))
    this.unsettled.add(callId)
    this.totals.calls++
    const scope = this.scope(proposal.scope)
    scope.ready.delete(callId)
    scope.blocked.delete(callId)
    scope.openCalls++
  }

  #settle(event: RunEventOf<'call-settled'>): void {
    const call = this.call(event.callId)
    call.phase = 'settled'
    call.outcome = event.outcome
    call.content = event.content
    call.value = event.value
    call.valueArtifact = event.valueArtifact
    call.error = event.error
    call.provenance = event.provenance
    call.spent = this.#spentBy(event, call)
    call.cost = (event.cost ?? 0) + (call.spent?.money ?? 0)
    call.endedAt = event.at
    this.unsettled.delete(event.callId)
    this.totals.addCall(call)
    const scope = this.scope(call.proposal.scope)
    scope.openCalls--
    scope.settleLate(this, event.callId)
    if (event.outcome === 'in-doubt' || event.outcome === 'denied')
      this.#unhappy.set(twinKey(call.proposal.tool, call.args), event.callId)
    else if (event.outcome === 'finished' && this.#unhappy.size > 0)
      this.#unhappy.delete(twinKey(call.proposal.tool, call.args))
    this.steps.settled(event.callId, event.outcome === 'finished')
  }

  /** Gives back what was set aside. Work that goes on elsewhere is accounted for once, by whoever joins it first. */
  #spentBy(event: RunEventOf<'call-settled'>, call: CallState): Amounts | undefined {
    call.goesOn = event.goesOn === true
    if (call.goesOn) this.givenAway.add(event.callId)
    else this.totals.giveBack(call.budget)
    if (event.settles !== undefined) {
      const joined = this.call(event.settles)
      if (!joined.goesOn) return undefined
      joined.goesOn = false
      this.givenAway.delete(event.settles)
      this.totals.giveBack(joined.budget)
    }
    return event.spent
  }

  #answer(event: RunEventOf<'input-answered'>): void {
    const request = known(this.inputs.get(event.requestId), 'open request', event.requestId)
    this.inputs.delete(event.requestId)
    const call = this.call(request.callId)
    call.waitingFor--
    if (event.how === 'withdrawn') return
    if (request.key !== CONSENT) {
      call.answers = [...call.answers, { key: request.key, resume: request.resume, answer: event.answer }]
      return
    }
    const answer = event.answer as ApprovalAnswer
    if (answer.kind === 'approve') call.approvedBinding = event.binding ?? request.binding
    else call.refusal = { reason: answer.reason, by: event.by }
  }

  /** What people said to the other run does not hold for this one. */
  #leaveBehind(): void {
    this.cancelRequested = undefined
    this.grants.length = 0
    for (const callId of this.unsettled) this.call(callId).approvedBinding = undefined
    // What the other run gave away it answers for.
    for (const callId of this.givenAway) {
      this.call(callId).goesOn = false
      this.totals.giveBack(this.call(callId).budget)
    }
    this.givenAway.clear()
  }

  /** A person who speaks again may have changed their mind; what is in doubt stays in doubt. */
  #forgetDenials(): void {
    for (const [key, callId] of this.#unhappy) if (this.call(callId).outcome === 'denied') this.#unhappy.delete(key)
  }
}

/** The key of the broker's own request for consent. */
export const CONSENT = 'consent'

const IN_PROGRESS = 'Still in progress. The result will follow in a later message.'
const NEVER_RUN = 'This call was not run.'

const twinKey = (tool: string, args: Json): string => `${tool} ${canonicalJson(args)}`

function known<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined)
    throw new KernelError('journal-unreadable', `The journal names ${what} ${id} before it is made.`)
  return value
}

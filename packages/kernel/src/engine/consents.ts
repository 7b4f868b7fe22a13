import type { Bound } from '../broker/consent.js'
import { consentBinding, grantCovers, toolDigest } from '../broker/consent.js'
import { rule } from '../broker/policy.js'
import type { CallId } from '../content/ids.js'
import { canonicalJson } from '../content/json.js'
import type { TenonError } from '../errors/error-table.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { InboxItem } from '../ports/journal.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { HandGrant, Tool } from '../ports/tool.js'
import type { CallState } from '../run/call-state.js'
import type { ApprovalAnswer, Grant, Outcome, RunEventBody } from '../run/events.js'
import { CONSENT } from '../run/state.js'
import { bestEffort } from './best-effort.js'
import type { RunDesk } from './run-desk.js'

type Answered = Extract<InboxItem, { kind: 'answer' }>

/** What consent does to a call; `Calls` does it. */
export type Moves = {
  settle(callId: CallId, outcome: Outcome, error: TenonError): void
  begin(callId: CallId, call: CallState, tool: Tool): void
  advance(callId: CallId): void
}

/** The key of the question whether a call in doubt took effect. */
export const DOUBT = 'in-doubt'

/** Whether a call may begin: by policy, by a person, by what a person said before, by what the call stands in for. */
export class Consents {
  constructor(
    readonly driver: RunDesk,
    readonly moves: Moves,
  ) {}

  /** Policy, consent and what came before. True when the call may begin; otherwise it was asked for or settled. */
  mayBegin(callId: CallId, call: CallState, tool: Tool): boolean {
    const { agent } = this.driver
    if (call.approvedBinding !== undefined && call.approvedBinding === this.#binding(callId, call, tool)) return true
    const before = this.#replaced(call)
    if (before === 'denied') {
      this.moves.settle(callId, 'denied', denied('The same call was declined before', undefined))
      return false
    }
    const ruling = rule(agent.policy, call.proposal, call.args, tool.outward === true)
    if (ruling.disposition === 'deny') {
      this.moves.settle(callId, 'denied', denied('Policy forbids this call', ruling.reason))
      return false
    }
    const doubt = before === 'in-doubt' && call.proposal.effect === 'once'
    const changed = call.approvedBinding !== undefined
    if (ruling.disposition === 'allow' && !doubt && !changed) return true
    const reason = doubt
      ? 'The same call was begun before and its outcome is unknown; it may have happened.'
      : changed
        ? 'What was approved has changed since: the tool has another definition now.'
        : ruling.reason
    if (doubt || changed) {
      this.#ask(callId, call, tool, reason)
      return false
    }
    return this.#isCovered(callId, call, tool, reason)
  }

  /** A consent that holds longer covers the call; otherwise it is asked for. */
  #isCovered(callId: CallId, call: CallState, tool: Tool, reason: string | undefined): boolean {
    const { run, host } = this.driver
    const ask = (): void => this.#ask(callId, call, tool, reason)
    const now = host.ports.clock.now()
    const bound = this.#bound(callId, call, tool)
    const covers = (grants: readonly Grant[]): boolean =>
      grants.some((grant) => grantCovers(grant, tool.name, bound, now))
    // One for good is taken from where it is kept, and only there: it may have been revoked.
    if (covers(run.grants.filter(({ scope }) => scope === 'run'))) return true
    const kept = host.ports.grants.list(tool.name)
    if (!isPromise(kept)) {
      if (covers(kept)) return true
      ask()
      return false
    }
    const decide = (grants: readonly Grant[]): void => {
      if (this.driver.ending || call.phase !== 'proposed') return
      if (covers(grants)) this.moves.begin(callId, call, tool)
      else ask()
    }
    this.driver.errand(kept, decide, () => decide([]))
    return false
  }

  #bound(callId: CallId, { args }: CallState, tool: Tool): Bound {
    const { host, runId } = this.driver
    return { toolDigest: toolDigest(tool, host.ports.digest), origin: tool.origin, args, callId, runId }
  }

  #binding(callId: CallId, call: CallState, tool: Tool): string {
    return consentBinding(this.#bound(callId, call, tool), this.driver.host.ports.digest)
  }

  /** What became of the calls that this one stands in for, as far as tool and arguments are the same. */
  #replaced(call: CallState): 'denied' | 'in-doubt' | undefined {
    if (call.proposal.replaces === undefined) return undefined
    const { run } = this.driver
    const same = canonicalJson(call.args)
    let doubt = false
    for (let id: CallId | undefined = call.proposal.replaces; id !== undefined; ) {
      const old = run.calls.get(id)
      if (!old || old.proposal.tool !== call.proposal.tool || canonicalJson(old.args) !== same) break
      if (old.outcome === 'denied') return 'denied'
      if (old.outcome === 'in-doubt') doubt = true
      id = old.proposal.replaces
    }
    return doubt ? 'in-doubt' : undefined
  }

  #ask(callId: CallId, call: CallState, tool: Tool, reason: string | undefined): void {
    const { host, agent } = this.driver
    const { answerWithinMs } = agent.policy
    this.driver.record({
      kind: 'input-requested',
      request: {
        requestId: this.driver.run.nextRequestId(callId),
        kind: 'approval',
        callId,
        key: CONSENT,
        prompt: `Run ${tool.name}?`,
        binding: this.#binding(callId, call, tool),
        resume: null,
        ...(reason === undefined ? {} : { reason }),
        ...(answerWithinMs === undefined ? {} : { expiresAt: host.ports.clock.now() + answerWithinMs }),
      },
    })
  }

  /** Declines what nobody answered in time. */
  expire(): void {
    const { run, host } = this.driver
    const now = host.ports.clock.now()
    for (const { requestId, expiresAt, callId } of [...run.inputs.values()]) {
      if (expiresAt === undefined || now < expiresAt) continue
      const answer = { kind: 'deny', reason: 'Nobody answered in time.' }
      this.driver.record({ kind: 'input-answered', requestId, answer, how: 'expired' })
      this.moves.advance(callId)
    }
  }

  /** A person's yes or no. With a yes may come other arguments, and a consent that holds longer. */
  decide(item: Answered, call: CallState, answer: ApprovalAnswer): void {
    const { driver } = this
    const { callId } = call.proposal
    const tool = this.driver.turns.tools().get(call.proposal.tool)
    if (answer.kind !== 'approve' || !tool) {
      driver.record(answered(item))
      return
    }
    const digest = toolDigest(tool, driver.host.ports.digest)
    let binding: string | undefined
    if (answer.args !== undefined && canonicalJson(answer.args) !== canonicalJson(call.args)) {
      driver.record({
        kind: 'call-amended',
        callId,
        args: answer.args,
        ...(item.by === undefined ? {} : { by: item.by }),
      })
      const bound = { toolDigest: digest, origin: tool.origin, args: answer.args, callId, runId: driver.runId }
      binding = consentBinding(bound, driver.host.ports.digest)
    }
    driver.record({ ...answered(item), ...(binding === undefined ? {} : { binding }) })
    this.#remember(answer, tool, digest, item)
  }

  #remember(answer: Extract<ApprovalAnswer, { kind: 'approve' }>, tool: Tool, digest: string, item: Answered): void {
    const { driver } = this
    const most = driver.agent.policy.rememberAtMost ?? 'always'
    if (answer.remember === undefined || most === 'call') return
    const grant: Grant = {
      grantId: `${driver.runId}:${item.requestId}`,
      tool: tool.name,
      origin: tool.origin,
      toolDigest: digest,
      scope: most === 'run' ? 'run' : answer.remember,
      ...(answer.pattern === undefined ? {} : { pattern: answer.pattern }),
      ...(answer.until === undefined ? {} : { expiresAt: answer.until }),
      grantedBy: item.by ?? 'user',
    }
    driver.record({ kind: 'grant-added', grant })
    if (grant.scope === 'always') driver.afterCommit(() => bestEffort(() => driver.host.ports.grants.add(grant)))
  }

  /** Consent that a hand had elsewhere, for the rest of the run. Given once, however often it is reported. */
  passOn(callId: CallId, { tool: name, pattern }: HandGrant): void {
    const { driver } = this
    const tool = driver.turns.tools().get(name)
    if (!tool || driver.agent.policy.rememberAtMost === 'call') return
    const grant: Grant = {
      grantId: `${driver.runId}:${callId}:${name}${pattern === undefined ? '' : `:${canonicalJson(pattern)}`}`,
      tool: name,
      origin: tool.origin,
      toolDigest: toolDigest(tool, driver.host.ports.digest),
      scope: 'run',
      ...(pattern === undefined ? {} : { pattern }),
      grantedBy: driver.run.call(callId).proposal.tool,
    }
    if (driver.run.grants.some(({ grantId }) => grantId === grant.grantId)) return
    driver.deliver({ kind: 'grant-added', grant })
  }

  /** By policy a person hears first that a call is in doubt. */
  askAboutDoubt(callId: CallId, call: CallState): void {
    this.driver.record({
      kind: 'input-requested',
      request: {
        requestId: this.driver.run.nextRequestId(callId),
        kind: 'question',
        callId,
        key: DOUBT,
        prompt: `The process stopped while ${call.proposal.tool} ran. Did it happen?`,
        schema: { enum: ['happened', 'did-not-happen', 'unknown'] },
        binding: '',
        resume: null,
      },
    })
  }
}

/** An answer from outside, as it enters the journal. */
export const answered = (item: Answered): Extract<RunEventBody, { kind: 'input-answered' }> => ({
  kind: 'input-answered',
  requestId: item.requestId,
  answer: item.answer,
  ...(item.by === undefined ? {} : { by: item.by }),
  ...(item.metadata === undefined ? {} : { metadata: item.metadata }),
})

export const denied = (why: string, reason: string | undefined): KernelError =>
  new KernelError('call-denied', reason === undefined ? `${why}. Do not try it again.` : `${why}: ${reason}`)

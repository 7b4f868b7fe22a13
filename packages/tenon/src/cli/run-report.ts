import {
  type Amounts,
  type CallState,
  isJsonObject,
  type Limits,
  type Outcome,
  type RunEvent,
  type RunId,
  RunState,
  type RunStateName,
} from '@tenon/kernel'
import { type CallConsent, callConsents } from './call-consents.js'
import { callLayer } from './call-layer.js'
import { table } from './printer/table.js'
import { spokenCount, spokenMoney, spokenTime } from './printer/words.js'

export type RunReport = {
  readonly runId: RunId
  readonly state: RunStateName
  readonly agent: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly activeMs: number
  readonly waitedMs: number
  readonly cost: number
  /** What the whole tree of runs is held to. */
  readonly limits: Limits
  /** What sub-runs and peers used of it. */
  readonly delegated: Amounts
  readonly tokens: {
    readonly input: number
    readonly cachedInput: number
    readonly cacheWrite: number
    readonly output: number
    readonly reasoning: number
  }
  readonly turns: readonly {
    readonly turnId: string
    readonly purpose: string
    readonly outcome: string
    /** Milliseconds from the begin of the run to that of the turn. */
    readonly after: number
    readonly tokens: number
    readonly cost: number
    readonly ms: number
  }[]
  readonly calls: readonly {
    readonly callId: string
    readonly tool: string
    /** What kind of counterpart carried it out, and which one. Absent for a tool that nobody has. */
    readonly layer?: string
    readonly consent?: CallConsent
    readonly outcome: Outcome | 'open'
    /** Milliseconds from the begin of the run to that of the call, or to its proposal where it did not begin. */
    readonly after: number
    readonly ms: number
    readonly cost: number
    /** What a sub-run or a peer used for it. */
    readonly spent?: Amounts
    /** The run that the call started. */
    readonly subRun?: string
  }[]
  readonly open: readonly { readonly requestId: string; readonly kind: string; readonly prompt: string }[]
  /** The same for people. */
  readonly lines: readonly string[]
}

/** What a run did and what it cost, per turn and per call: sums over its events. */
export function runReport(runId: RunId, events: readonly RunEvent[]): RunReport {
  const run = RunState.of(events)
  const { totals } = run
  const createdAt = events[0]?.at ?? 0
  const turns = [...run.turns.values()].map((turn) => ({
    turnId: turn.turnId as string,
    purpose: turn.purpose,
    outcome: turn.outcome,
    after: turn.beganAt - createdAt,
    tokens:
      turn.usage === null ? 0 : turn.usage.input + turn.usage.cachedInput + turn.usage.cacheWrite + turn.usage.output,
    cost: turn.cost,
    ms: turn.endedAt === 0 ? 0 : turn.endedAt - turn.beganAt,
  }))
  const consents = callConsents(events)
  const calls = [...run.calls.values()].map((call) => ({
    callId: call.proposal.callId as string,
    tool: call.proposal.tool,
    ...layerOf(call),
    ...consentOf(consents, call),
    ...(call.spent === undefined ? {} : { spent: call.spent }),
    outcome: call.outcome ?? ('open' as const),
    after: (call.beganAt === 0 ? call.proposedAt : call.beganAt) - createdAt,
    ms: call.beganAt === 0 || call.endedAt === 0 ? 0 : call.endedAt - call.beganAt,
    cost: call.cost,
    ...(isJsonObject(call.handle) && typeof call.handle.runId === 'string' ? { subRun: call.handle.runId } : {}),
  }))
  const open = [...run.inputs.values()].map(({ requestId, kind, prompt }) => ({
    requestId: requestId as string,
    kind,
    prompt,
  }))
  const facts: Omit<RunReport, 'lines'> = {
    runId,
    state: run.state,
    agent: run.submission.agent,
    createdAt,
    activeMs: totals.activeMs,
    waitedMs: totals.waitedMs,
    cost: totals.cost,
    limits: run.submission.limits,
    delegated: totals.delegated,
    tokens: {
      input: totals.input,
      cachedInput: totals.cachedInput,
      cacheWrite: totals.cacheWrite,
      output: totals.output,
      reasoning: totals.reasoning,
    },
    turns,
    calls,
    open,
  }
  return { ...facts, lines: lines(facts) }
}

function layerOf({ proposal, args }: CallState): { readonly layer?: string } {
  const layer = callLayer(proposal, args)
  return layer === undefined ? {} : { layer }
}

function consentOf(
  consents: ReadonlyMap<string, CallConsent>,
  { proposal }: CallState,
): { readonly consent?: CallConsent } {
  const consent = consents.get(proposal.callId)
  return consent === undefined ? {} : { consent }
}

function lines(report: Omit<RunReport, 'lines'>): string[] {
  const { tokens, delegated, limits } = report
  const money = (cost: number): string => (cost > 0 ? spokenMoney(cost) : '')
  const rows = [
    ...report.turns.map((turn) => [
      turn.turnId,
      `+${spokenTime(turn.after)}`,
      'model',
      turn.purpose,
      '',
      turn.outcome,
      spokenTime(turn.ms),
      `${spokenCount(turn.tokens)} tokens`,
      money(turn.cost),
    ]),
    ...report.calls.map((call) => [
      call.callId,
      `+${spokenTime(call.after)}`,
      call.layer ?? 'none',
      call.tool,
      call.consent === undefined ? '' : spokenConsent(call.consent),
      call.outcome,
      spokenTime(call.ms),
      call.subRun ?? (call.spent?.tokens === undefined ? '' : `${spokenCount(call.spent.tokens)} tokens`),
      money(call.cost),
    ]),
  ].sort((a, b) => String(a[0]).localeCompare(String(b[0]), 'en', { numeric: true }))
  const bounds = [
    ...(limits.tokens === undefined ? [] : [`${spokenCount(limits.tokens)} tokens`]),
    ...(limits.money === undefined ? [] : [spokenMoney(limits.money)]),
  ]
  const own = tokens.input + tokens.cachedInput + tokens.cacheWrite + tokens.output
  return [
    `${report.state}: worked ${spokenTime(report.activeMs)}, waited for people ${spokenTime(report.waitedMs)}${report.cost > 0 ? `, cost ${spokenMoney(report.cost)}` : ''}`,
    `tokens: ${tokens.input} input, ${tokens.cachedInput} from cache, ${tokens.cacheWrite} to cache, ${tokens.output} output (${tokens.reasoning} of it reasoning)`,
    ...(bounds.length === 0
      ? []
      : [
          `budget: ${spokenCount(own + (delegated.tokens ?? 0))} tokens and ${spokenMoney(report.cost)} of ${bounds.join(' and ')}, with what was given away`,
        ]),
    ...(rows.length === 0 ? [] : table(rows).trimEnd().split('\n')),
    ...report.open.map(
      ({ requestId, kind }) => `open ${kind} ${requestId}: tenon runs answer ${report.runId} ${requestId}`,
    ),
    ...(report.turns.length === 0
      ? []
      : [`what the model saw: tenon runs show ${report.runId} --view ${report.turns.at(-1)?.turnId}`]),
  ]
}

const spokenConsent = ({ decision, by }: CallConsent): string => (by === undefined ? decision : `${decision} by ${by}`)

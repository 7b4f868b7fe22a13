import type { ContentBlock, TurnBlock } from '../content/block.js'
import type { CallId, ScopeId } from '../content/ids.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { TurnState } from '../run/call-state.js'
import type { RunState } from '../run/state.js'
import type { Command, Planner } from './command.js'
import { sameAgain } from './same-again.js'
import { unusableInARow } from './unusable-turns.js'

/** How often a turn may go wrong in a row before the run fails with a name. */
export type Patience = {
  /** Turns that failed, or could not be read as a call or an answer. */
  readonly failures: number
  /** Turns without a word. */
  readonly empty: number
  /** Turns that the provider paused. */
  readonly paused: number
  /** Final answers of the wrong shape. */
  readonly shape: number
  /** Turns whose calls were all of unknown tools or with arguments that do not fit. */
  readonly unusable: number
}

const PATIENCE: Patience = { failures: 3, empty: 2, paused: 16, shape: 3, unusable: 5 }
const WAIT: readonly Command[] = []

/**
 * Reason and act: ask, run what was proposed, show the observations, ask again, until an answer comes without a
 * proposal. The same for native calls and for prompted dialects, which turn their text into the same blocks.
 */
export function react(patience: Partial<Patience> = {}): Planner {
  const bounds = { ...PATIENCE, ...patience }
  return { name: 'react', version: 1, next: (run) => reactIn(run, ROOT_SCOPE, bounds) }
}

/** One step of reason-and-act in a scope: the root scope ends the run, any other closes. */
export function reactIn(run: RunState, scope: ScopeId, patience: Patience = PATIENCE): readonly Command[] {
  const state = run.scope(scope)
  const turn = state.lastTurn
  if (!turn) return ask(scope)
  if (turn.outcome === 'open') return WAIT
  if (state.ready.size > 0) return callsOf(state.ready)
  if (state.blocked.size > 0) return [...state.blocked].map((callId) => skip(run, callId))
  if (state.openCalls > 0) return WAIT
  if (turn.outcome === 'failed') return afterFailure(turn, scope, state.failuresInARow <= patience.failures)
  if (turn.calls.length > 0) {
    const unusable = unusableInARow(run, state, patience.unusable + 1)
    return unusable > patience.unusable ? unusableCalls(run, turn, unusable) : ask(scope, sameAgain(run, state))
  }
  if (turn.outcome === 'interrupted') return ask(scope)
  if (turn.error) {
    if (state.failuresInARow <= patience.failures) return ask(scope)
    return fail(
      'model-failed',
      `The model's output could not be read ${state.failuresInARow} times in a row: ${turn.error.message}`,
    )
  }
  if (turn.finish === 'paused') {
    if (state.pausedInARow <= patience.paused) return ask(scope)
    return fail('model-failed', `The provider paused the turn ${state.pausedInARow} times in a row without an end.`)
  }
  if (turn.finish === 'length') return cut(turn)
  if (turn.finish === 'refusal')
    return [
      { kind: 'fail', code: 'model-refused', message: 'The model declined to answer.', blocks: answerOf(turn.blocks) },
    ]
  if (turn.finish === 'content-filter')
    return fail('content-filtered', "The provider's content filter stopped the answer.")
  if (state.emptyInARow > 0) {
    if (state.emptyInARow <= patience.empty) return ask(scope, EMPTY)
    return fail(
      'model-empty',
      `The model answered with nothing ${state.emptyInARow} times in a row. Try another model.`,
    )
  }
  if (run.outputRejections > patience.shape)
    return fail(
      'output-invalid',
      `The answer had the wrong shape ${run.outputRejections} times in a row; the last time: ${run.outputProblems.slice(0, 3).join('; ')}.`,
    )
  if (state.transcript.hasWaiting) return ask(scope)
  return conclude(scope, answerOf(turn.blocks))
}

function callsOf(ready: ReadonlySet<CallId>): readonly Command[] {
  const commands: Command[] = []
  for (const callId of ready) commands.push({ kind: 'call', callId })
  return commands
}

const EMPTY = 'The last answer was empty. Call a tool, or give the final answer.'

const ask = (scope: ScopeId, reminder?: string): readonly Command[] => [
  { kind: 'ask', scope, purpose: 'act', ...(reminder === undefined ? {} : { view: { reminder } }) },
]

const fail = (code: string, message: string): readonly Command[] => [{ kind: 'fail', code, message }]

function afterFailure(turn: TurnState, scope: ScopeId, patient: boolean): readonly Command[] {
  const again = turn.error?.retryable === true || turn.error?.code === 'context-overflow'
  if (again && patient) return ask(scope)
  return fail(turn.error?.code ?? 'model-failed', turn.error?.message ?? 'The model failed without saying why.')
}

function unusableCalls(run: RunState, turn: TurnState, times: number): readonly Command[] {
  const last = turn.calls.map((callId) => run.call(callId).error?.message).at(-1)
  return fail(
    'model-failed',
    `The model proposed nothing that can be called ${times} times in a row. The last: ${last}`,
  )
}

function cut(turn: TurnState): readonly Command[] {
  const message = 'The answer was cut at the output limit. Raise maxOutputTokens, or ask for less at once.'
  return [{ kind: 'fail', code: 'answer-cut', message, blocks: answerOf(turn.blocks) }]
}

function conclude(scope: ScopeId, blocks: readonly ContentBlock[]): readonly Command[] {
  return scope === ROOT_SCOPE ? [{ kind: 'finish', blocks }] : [{ kind: 'close', scope, outcome: 'finished', blocks }]
}

function skip(run: RunState, callId: CallId): Command {
  const step = run.step(callId)
  const reason =
    step.unknownRef === undefined
      ? `Not run: it needs ${step.blockedBy}, which did not finish.`
      : `Not run: there is no step named ${step.unknownRef}.`
  return { kind: 'skip', callId, reason }
}

/** The part of a turn that is an answer: what was said, without thoughts, calls and the provider's own parts. */
export function answerOf(blocks: readonly TurnBlock[]): readonly ContentBlock[] {
  const answer: ContentBlock[] = []
  for (const block of blocks) {
    if (block.kind === 'text')
      answer.push({ kind: 'text', text: block.text, ...(block.citations ? { citations: block.citations } : {}) })
    else if (block.kind === 'image' || block.kind === 'audio' || block.kind === 'file') answer.push(block)
  }
  return answer
}

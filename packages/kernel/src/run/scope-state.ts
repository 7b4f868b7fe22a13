import type { ContentBlock, ToolResultBlock, TurnBlock } from '../content/block.js'
import { text } from '../content/block.js'
import type { CallId, ScopeId } from '../content/ids.js'
import type { UserMessage } from '../content/message.js'
import { hostMessage, userMessage } from '../content/message.js'
import type { CallState, TurnState } from './call-state.js'
import { Transcript } from './transcript.js'

/** What a scope looks up of the run that it belongs to. */
type Around = { readonly calls: ReadonlyMap<CallId, CallState>; observation(callId: CallId): ToolResultBlock }

/** A sub-history with a goal that closes. The root scope is the run itself. */
export class ScopeState {
  readonly transcript = new Transcript()
  readonly ready = new Set<CallId>()
  readonly blocked = new Set<CallId>()
  openCalls = 0
  readonly turns: TurnState[] = []
  closed: { readonly outcome: 'finished' | 'failed'; readonly blocks: readonly ContentBlock[] } | undefined
  /** Turns in a row that ended without a conclusion. */
  failuresInARow = 0
  /** Turns in a row that said nothing. */
  emptyInARow = 0
  /** Turns in a row that the provider paused. */
  pausedInARow = 0
  #ended: TurnState | undefined
  /** Calls whose turn went into the transcript before they settled. */
  readonly #late = new Set<CallId>()

  constructor(
    readonly parent: ScopeId,
    readonly goal: UserMessage,
  ) {
    this.transcript.wait(goal)
  }

  get lastTurn(): TurnState | undefined {
    return this.turns.at(-1)
  }

  close(outcome: 'finished' | 'failed', blocks: readonly ContentBlock[]): void {
    this.closed = { outcome, blocks }
  }

  endTurn(turn: TurnState): void {
    this.#ended = turn
    const spoke = turn.blocks.some((block) => block.kind !== 'reasoning')
    this.failuresInARow = turn.outcome === 'finished' && !turn.error ? 0 : this.failuresInARow + 1
    this.emptyInARow = turn.outcome !== 'finished' || spoke || turn.finish === 'paused' ? 0 : this.emptyInARow + 1
    this.pausedInARow = turn.finish === 'paused' ? this.pausedInARow + 1 : 0
    if (turn.outcome === 'finished' && turn.error) this.transcript.wait(hostMessage(turn.error.message))
  }

  /** Lets the last turn into the transcript. Called when the next one begins, so that nothing is added in between. */
  growTranscript(run: Around): void {
    const turn = this.#ended
    this.#ended = undefined
    if (!turn) {
      this.transcript.grow(undefined)
      return
    }
    const results = turn.calls.map((callId) => {
      if (run.calls.get(callId)?.phase !== 'settled') this.#late.add(callId)
      return run.observation(callId)
    })
    this.transcript.grow({ blocks: kept(turn), results })
  }

  /** A call that the model was told is in progress has settled: its result follows as a message. */
  settleLate(run: Around, callId: CallId): void {
    if (!this.#late.delete(callId)) return
    const { name, content, provenance } = run.observation(callId)
    this.transcript.wait(userMessage([text(`Result of the earlier call ${callId} (${name}):`), ...content], provenance))
  }
}

/** What a turn that did not finish said stays only where calls hang on it; a thought alone is no answer. */
function kept(turn: TurnState): readonly TurnBlock[] {
  if (turn.calls.length > 0) return turn.blocks
  if (turn.outcome !== 'finished') return []
  return turn.blocks.some((block) => block.kind !== 'reasoning') ? turn.blocks : []
}

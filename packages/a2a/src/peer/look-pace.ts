import type { CallContext, Clock } from '@tenon/kernel'
import { pause } from './pause.js'
import type { PeerLimits } from './peer-limits.js'
import type { PushInbox } from './push-inbox.js'

const GROWTH = 1.6

/** When a task is looked at: at once, then after pauses that grow, and whenever the peer knocks. */
export class LookPace {
  #waitMs: number
  #began = false

  constructor(
    readonly clock: Clock,
    readonly limits: PeerLimits,
    readonly context: Pick<CallContext, 'runId' | 'callId'>,
    /** Where the peer knocks, if it was asked to. */
    readonly push: PushInbox | undefined,
  ) {
    this.#waitMs = limits.firstPollMs
  }

  /** Until the next look is due. Rejects with the signal's reason. */
  async due(signal: AbortSignal): Promise<void> {
    if (!this.#began) {
      this.#began = true
      return
    }
    const { runId, callId } = this.context
    const knock = new AbortController()
    const forget = this.push?.listen(runId, callId, () => knock.abort())
    try {
      await pause(this.clock, this.#waitMs, AbortSignal.any([signal, knock.signal]))
    } catch (error) {
      if (signal.aborted || !knock.signal.aborted) throw error
    } finally {
      forget?.()
    }
    const { longestPollMs, knockedPollMs } = this.limits
    this.#waitMs = Math.min(this.#waitMs * GROWTH, this.push === undefined ? longestPollMs : knockedPollMs)
  }

  /** The peer asked for a longer pause. */
  notBefore(ms: number | undefined): void {
    if (ms === undefined) return
    this.#began = true
    this.#waitMs = Math.max(this.#waitMs, ms)
  }
}

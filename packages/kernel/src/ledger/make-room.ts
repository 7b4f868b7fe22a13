import type { CallId, ScopeId } from '../content/ids.js'
import type { RunState } from '../run/state.js'
import { blockTokens } from './estimate.js'
import type { Rewrite } from './part.js'

/** Room is made in one big step down to this share of the window: each rewrite costs the provider's whole cache. */
const DOWN_TO = 0.5
/** An output smaller than this is not worth taking out. */
const WORTH_TOKENS = 100
/** The newest observations are what the model is working with. */
const KEEP_NEWEST = 2

/**
 * Which old observations to take out so that a request of `tokens` fits `window` again; undefined when there is
 * nothing left to take out. Goal, messages, calls and thoughts stay.
 */
export function roomFor(run: RunState, scope: ScopeId, tokens: number, window: number): Rewrite | undefined {
  const target = Math.floor(window * DOWN_TO)
  const results = run
    .scope(scope)
    .transcript.messages.flatMap((message) => (message.role === 'tool' ? message.blocks : []))
  const calls: CallId[] = []
  let freed = 0
  for (const block of results.slice(0, Math.max(0, results.length - KEEP_NEWEST))) {
    if (tokens - freed <= target) break
    const size = blockTokens(block)
    if (size < WORTH_TOKENS) continue
    calls.push(block.callId)
    freed += size
  }
  return calls.length === 0 ? undefined : { kind: 'clear', calls, freedTokens: freed }
}

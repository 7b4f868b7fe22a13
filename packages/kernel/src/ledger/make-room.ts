import type { CallId, ScopeId } from '../content/ids.js'
import type { RunState } from '../run/state.js'
import { blockTokens } from './estimate.js'
import type { Rewrite } from './part.js'
import type { Shares } from './shares.js'
import { shareOf } from './shares.js'

/** Room is made when a view reaches this share of the model's window … */
const FULL = 0.85
/** … and in one big step down to this share of it: each rewrite costs the provider's whole cache. */
const DOWN_TO = 0.5
/** An output smaller than this is not worth taking out. */
const WORTH_TOKENS = 100
/** The newest observations are what the model is working with. */
const KEEP_NEWEST = 2

export type Pressure = {
  /** Estimated tokens of the next request. */
  readonly tokens: number
  readonly window: number
  readonly shares?: Shares | undefined
  /** Tools whose outputs stay, whatever the pressure. */
  readonly kept?: ReadonlySet<string>
  /** The provider said that the last request did not fit, whatever we estimate. */
  readonly refused: boolean
}

/**
 * Which old observations to take out before the next request of a scope; undefined when it fits, or when there is
 * nothing left to take out. Goal, messages, calls and thoughts stay.
 */
export function roomFor(run: RunState, scope: ScopeId, pressure: Pressure): Rewrite | undefined {
  const toFree = tokensToFree(run, scope, pressure)
  if (toFree <= 0) return undefined
  const results = run
    .scope(scope)
    .transcript.messages.flatMap((message) => (message.role === 'tool' ? message.blocks : []))
  const calls: CallId[] = []
  let freed = 0
  for (const block of results.slice(0, Math.max(0, results.length - KEEP_NEWEST))) {
    if (freed >= toFree) break
    const size = blockTokens(block)
    if (size < WORTH_TOKENS || pressure.kept?.has(run.calls.get(block.callId)?.proposal.tool ?? '')) continue
    calls.push(block.callId)
    freed += size
  }
  return calls.length === 0 ? undefined : { kind: 'clear', calls, freedTokens: freed }
}

function tokensToFree(run: RunState, scope: ScopeId, { tokens, window, shares, refused }: Pressure): number {
  const outputs = run.scope(scope).transcript.tokensOf('tool-outputs')
  const share = shareOf('tool-outputs', window, shares)
  const over = refused ? Math.max(tokens, window) : tokens >= window * FULL ? tokens : 0
  return Math.max(over - window * DOWN_TO, outputs > share ? outputs - share * DOWN_TO : 0)
}

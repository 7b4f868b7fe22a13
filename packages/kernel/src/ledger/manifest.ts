import type { ScopeId } from '../content/ids.js'
import type { Trust } from '../content/provenance.js'
import type { RunState } from '../run/state.js'
import type { PartRecord, ViewManifest } from './part.js'
import type { PartKind } from './part-kind.js'
import { shareOf } from './shares.js'

/** One line of what the model saw. */
export type ManifestEntry = {
  readonly partId: string
  readonly kind: PartKind
  readonly tokens: number
  /** Of a frozen part its own; of a grown one that of all messages. */
  readonly digest: string
  /** How many blocks or tools it holds. */
  readonly count: number
  /** The least trust of anything in it. */
  readonly trust: Trust
  /** Tokens that it may take of the window, at most. */
  readonly share: number
}

/** The order of frozen parts. It never depends on when a part was set, so that prefixes stay equal. */
const SYSTEM_ORDER: readonly PartRecord['kind'][] = ['system-prompt', 'instructions', 'examples', 'memory', 'knowledge']

/** The parts that become the system prompt, in their order. */
export const systemParts = (parts: ReadonlyMap<string, PartRecord>): readonly PartRecord[] =>
  SYSTEM_ORDER.flatMap((kind) => [...parts.values()].filter((part) => part.kind === kind))

/** The parts that offer tools. */
export const toolParts = (parts: ReadonlyMap<string, PartRecord>): readonly PartRecord[] =>
  [...parts.values()].filter((part) => part.kind === 'tool-definitions')

/**
 * A view line by line, in the order in which it was sent; none for a turn that the host wrote.
 *
 * @param run folded up to the beginning of the turn
 */
export function manifestEntries(run: RunState, scope: ScopeId, view: ViewManifest): readonly ManifestEntry[] {
  const { window, shares } = view
  if (view.messages === 0) return []
  const frozen = [...systemParts(run.parts), ...toolParts(run.parts)].map(
    ({ partId, kind, tokens, digest, tools, provenance: { trust } }) => ({
      partId,
      kind,
      tokens,
      digest,
      count: tools?.length ?? 1,
      trust,
      share: shareOf(kind, window, shares),
    }),
  )
  const digest = (view.digest >>> 0).toString(16)
  const grown = run.scope(scope).transcript.grown.map(({ kind, tokens, count, trust }) => ({
    partId: kind,
    kind,
    tokens,
    digest,
    count,
    trust,
    share: shareOf(kind, window, shares),
  }))
  return [...frozen, ...grown]
}

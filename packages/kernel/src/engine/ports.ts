import type { OutputBounds } from '../ledger/landing.js'
import type { Redact } from '../ledger/redact.js'
import type { Artifacts } from '../ports/artifacts.js'
import type { Clock } from '../ports/clock.js'
import type { Digest } from '../ports/digest.js'
import type { Grants, Inbox, Journal, Leases } from '../ports/journal.js'
import type { Agent } from './agent.js'

/** Everything that the engine reaches outside of itself. */
export type EnginePorts = {
  readonly journal: Journal
  readonly inbox: Inbox
  readonly leases: Leases
  readonly grants: Grants
  readonly artifacts: Artifacts
  /** The agents of this process, by name: looked up when a run starts and again when one is taken over. */
  readonly agents: (name: string) => Agent | undefined
  readonly digest: Digest
  readonly clock?: Clock
  /** Takes out secrets that the host knows. Error texts of tools are cleaned of more, always. */
  readonly redact?: Redact
  /** Names this process among all that share the journal. Random if absent. */
  readonly holder?: string
  readonly tuning?: Partial<Tuning>
}

export type Tuning = {
  /** Calls of one run that may be begun at once. */
  readonly calls: number
  /** How deep runs may start runs. */
  readonly depth: number
  readonly output: OutputBounds
  /** Milliseconds that a canceled hand gets to stop. */
  readonly graceMs: number
  /** Milliseconds without progress after which a model stream counts as stalled. */
  readonly stallMs: number
  /** Attempts at a model turn that failed before it said anything. */
  readonly attempts: number
  /** The first wait between two attempts in milliseconds; doubled each time, with jitter, at most 30 s. */
  readonly retryMs: number
  readonly leaseMs: number
}

export const TUNING: Omit<Tuning, 'output'> = {
  calls: 64,
  depth: 8,
  graceMs: 5_000,
  stallMs: 120_000,
  attempts: 4,
  retryMs: 500,
  leaseMs: 15_000,
}

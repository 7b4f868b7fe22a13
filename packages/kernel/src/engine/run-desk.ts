import type { RunId } from '../content/ids.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import type { Tool } from '../ports/tool.js'
import type { RunEvent, RunEventBody } from '../run/events.js'
import type { RunState } from '../run/state.js'
import type { Agent } from './agent.js'
import type { LiveItem } from './live.js'
import type { EnginePorts, Tuning } from './ports.js'

/** What driving a run needs of the engine. */
export type DriverHost = {
  readonly ports: Required<
    Pick<EnginePorts, 'journal' | 'inbox' | 'grants' | 'artifacts' | 'digest' | 'clock' | 'redact'>
  >
  readonly tuning: Tuning
  readonly watched: boolean
  publish(item: LiveItem): void
  /** The first append of a new run, with its lease. */
  begin(runId: RunId, events: readonly RunEvent[], sync: boolean): MaybePromise<void>
}

/**
 * The way of a run's turns, calls and consents to what drives it: what they record goes into the next commit, and what
 * they want to start starts after that.
 */
export interface RunDesk {
  readonly host: DriverHost
  readonly runId: RunId
  readonly run: RunState
  readonly agent: Agent
  /** Nothing new begins: the run has ended or is about to. */
  readonly ending: boolean
  readonly turns: { tools(): ReadonlyMap<string, Tool> }
  /** Puts an event into the next commit and into the state. The body becomes the event; the caller lets go of it. */
  record(body: RunEventBody): void
  /** Puts an event in and wakes the round. */
  deliver(body: RunEventBody, committed?: () => void): void
  /** Started after the commit of this round, never before. `sync`: the commit must survive a loss of power. */
  afterCommit(start: () => void, sync?: boolean): void
  wake(): void
  /** Keeps the run from parking while a promise is out; the result re-enters through `then`. */
  errand<T>(work: PromiseLike<T>, then: (result: T) => void, failed: (thrown: unknown) => void): void
  publish(item: LiveItem): void
  fail(code: string, message: string): void
}

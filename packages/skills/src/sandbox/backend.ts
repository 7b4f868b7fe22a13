import type { ControlGroup } from './control-group.js'
import type { Isolation } from './isolation.js'
import type { ConfinedStart } from './run-confined.js'
import type { SandboxJob, SandboxPrograms } from './sandbox.js'

/** A job as a backend is about to start it. */
export type Prepared = {
  readonly start: ConfinedStart
  readonly user: Isolation['user']
  readonly limits: Isolation['limits']
  readonly notes: readonly string[]
  readonly group?: ControlGroup | undefined
  /** Lets go of what else was set up for this job. */
  readonly release?: () => void
}

/** What differs between the ways to confine a child process. */
export type Backend = {
  readonly name: string
  readonly runs: SandboxPrograms
  /** Why it cannot work here at all, found without running anything. */
  readonly missing: () => string | undefined
  /** How a user gets it to work. */
  readonly remedy: string
  /**
   * `empty`: a job has a network of its own, with nothing in it, and a gate can be put there. `listed`: the backend lets
   * through what `job.network` names. `closed`: there is none, and no part of it can be granted.
   */
  readonly network: 'empty' | 'listed' | 'closed'
  readonly prepare: (job: SandboxJob) => Prepared
}

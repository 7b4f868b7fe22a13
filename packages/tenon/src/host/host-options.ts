import type { Store } from '@tenon/store'
import type { Environment } from '../config/interpolate.js'
import type { LoadedConfig } from '../config/load-config.js'
import type { PlannerName } from '../config/planner-names.js'

export type HostOptions = {
  readonly loaded: LoadedConfig
  /** Closed with the host. */
  readonly store: Store
  readonly environment: Environment
  readonly cwd: string
  /** What the user chose on the command line; it counts for the main agent. */
  readonly choosing: {
    readonly agent?: string
    readonly model?: string
    readonly rehearsal?: string
    readonly workspace?: string
    readonly planner?: PlannerName
  }
  /** Milliseconds that servers may take before the first turn; those that come later join later. */
  readonly serverWaitMs?: number
  /** Told each message that an MCP server logs, in one line, without secrets. */
  readonly onServerLog?: (server: string, line: string) => void
  /** A face that stays: skills that change are seen without being asked for. */
  readonly followSkills?: boolean
  /** Look at every way to a model, also when an earlier one settles the choice. */
  readonly everything?: boolean
}

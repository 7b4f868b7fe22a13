import type { JsonObject } from '@tenon/kernel'
import type { LogLevel } from '../upstream/log-level.js'
import type { EraName, UpstreamAuth, UpstreamLimits, UpstreamTarget } from '../upstream/upstream.js'

/** One server as the user configured it. */
export type McpServerConfig = {
  readonly name: string
  readonly target: UpstreamTarget
  /** Its hints are believed and its output counts as vetted. */
  readonly trusted?: boolean
  readonly limits?: Partial<UpstreamLimits>
  readonly auth?: UpstreamAuth
  /** The only era that is spoken with it: `legacy` for one that offers both and asks as servers of before did. */
  readonly era?: EraName
  /** The least level of messages that it is asked to send. */
  readonly logLevel?: LogLevel
  /** What it may ask of us; replaces what the host declares to all servers. */
  readonly capabilities?: JsonObject
  /** Tools by wire name that are not offered at all; `*` stands for any characters. */
  readonly hidden?: readonly string[]
}

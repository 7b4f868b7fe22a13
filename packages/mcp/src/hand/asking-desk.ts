import type { JsonObject } from '@tenon/kernel'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { Upstream } from '../upstream/upstream.js'
import type { AutomaticAnswers } from './automatic-answers.js'

/** What answering a server takes that asks in the middle of a call. */
export type AskingDesk = {
  readonly upstream: Upstream
  /** What was declared to the server. */
  readonly capabilities: JsonObject
  readonly automatic: AutomaticAnswers
  readonly diagnose: Diagnose
  /** Rounds of input after which a call is given up. */
  readonly maxRounds: number
}

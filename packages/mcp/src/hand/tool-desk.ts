import type { JsonObject, SchemaCompiler } from '@tenon/kernel'
import type { ServerCatalogue } from '../catalogue/server-catalogue.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { Upstream } from '../upstream/upstream.js'
import type { HeldCall } from './held-call.js'
import type { AutomaticAnswers } from './input-request.js'

/** What the calls of one server's tools have in common. */
export type ToolDesk = {
  readonly upstream: Upstream
  readonly catalogue: ServerCatalogue
  /** What was declared to the server. */
  readonly capabilities: JsonObject
  readonly automatic: AutomaticAnswers
  readonly compile: SchemaCompiler
  readonly diagnose: Diagnose
  /** Rounds of input after which a call is given up. */
  readonly maxRounds: number
  /** Calls that are open at the server while a person is asked, by run and call. */
  readonly held: Map<string, HeldCall>
}

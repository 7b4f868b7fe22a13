import type { SchemaCompiler } from '@tenon/kernel'
import type { ServerCatalogue } from '../catalogue/server-catalogue.js'
import type { AskingDesk } from './asking-desk.js'
import type { HeldCall } from './held-call.js'

/** What the calls of one server's tools have in common. */
export type ToolDesk = AskingDesk & {
  readonly catalogue: ServerCatalogue
  readonly compile: SchemaCompiler
  /** Calls that are open at the server while a person is asked, by run and call. */
  readonly held: Map<string, HeldCall>
}

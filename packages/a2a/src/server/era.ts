import type { Json, JsonObject } from '@tenon/kernel'
import type { PlacedEvent } from '../tasks/task-events.js'
import type { OperationName } from './operations.js'

/** A method of one protocol version, in terms of the operations of 1.0. */
export type EraMethod = {
  readonly operation: OperationName
  /** Its parameters as the operation reads them. @throws A2AError `a2a-invalid-params` */
  params(given: Json | undefined): Json
  /** What the operation gave, as this version says it. */
  result(current: Json, params: JsonObject): Json
}

/** A protocol version: what it calls things, and how it says them. */
export type Era = {
  readonly version: '1.0' | '0.3'
  readonly methods: ReadonlyMap<string, EraMethod>
  /** An event of a stream. `last`: this version ends the stream with it. */
  event(placed: PlacedEvent): { readonly data: Json; readonly last: boolean }
  /** The header that names extensions. */
  readonly extensionsHeader: string
}

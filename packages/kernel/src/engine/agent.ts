import type { Policy } from '../broker/policy.js'
import type { JsonObject } from '../content/json.js'
import type { FramePart } from '../ledger/frame.js'
import type { Shares } from '../ledger/shares.js'
import type { Planner } from '../planner/command.js'
import type { Model, ModelSettings, ToolChoice } from '../ports/model.js'
import type { Schema } from '../ports/schema.js'
import type { Tool } from '../ports/tool.js'
import type { Limits } from '../run/events.js'

/** What a run is driven with. Looked up by name again after a restart; the run's own choices stand in its journal. */
export type Agent = {
  readonly name: string
  readonly description?: string
  readonly model: Model
  /** Read anew each round, so that a catalogue may grow; a changed definition asks for consent again. */
  readonly tools: readonly Tool[]
  readonly planner: Planner
  readonly policy: Policy
  /** System prompt, instructions, examples, memory: the frozen head of every view. */
  readonly frame: readonly FramePart[]
  readonly limits: Limits
  /** Which part of the model's window each kind of part may take; `SHARES` where nothing is said. */
  readonly shares?: Shares
  readonly settings?: ModelSettings
  readonly toolChoice?: ToolChoice
  /** The shape of the result. */
  readonly output?: { readonly name: string; readonly schema: Schema }
  readonly metadata?: JsonObject
}

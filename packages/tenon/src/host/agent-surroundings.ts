import type { Engine, FramePart, Model, Tool } from '@tenon/kernel'
import type { Store } from '@tenon/store'
import type { TenonConfig } from '../config/config-table.js'
import type { OpenSkills } from '../skills/open-skills.js'

/** What an agent of the configuration stands in. */
export type AgentSurroundings = {
  readonly config: TenonConfig
  readonly workspace: string
  readonly store: Store
  readonly engine: () => Engine
  readonly model: Model
  /** From AGENTS.md files. */
  readonly instructions: readonly FramePart[]
  /** Attached resources. */
  readonly knowledge: readonly FramePart[]
  /** Tools of MCP servers; what they offer may change while runs go on. */
  readonly servers: { readonly tools: readonly Tool[] } | undefined
  /** The tools that give work to peers, where there are any. */
  readonly peers: { readonly tools: readonly Tool[] } | undefined
  /** The tool that hands over deliverables, for agents that are offered to others. */
  readonly delivery: { readonly tools: readonly Tool[] } | undefined
  /** Skills of this place, where there are any. */
  readonly skills: OpenSkills | undefined
}

import type { Agent, Engine, ErrorRecord, FramePart, JsonObject, TenonError } from '@tenon/kernel'
import type { McpHost } from '@tenon/mcp'
import type { LocalServer, ModelDecision } from '@tenon/models'
import type { Store } from '@tenon/store'
import type { OpenPeers } from '../a2a/open-peers.js'
import type { TenonConfig } from '../config/config-table.js'
import type { OpenSkills } from '../skills/open-skills.js'

/** Configuration, store, models and tools put together: everything that a face stands on. */
export type Host = {
  readonly engine: Engine
  readonly store: Store
  readonly config: TenonConfig
  /** The agent that was asked for, or the default one. */
  readonly agent: Agent
  /** Which model answers for it, and why. */
  readonly decision: ModelDecision
  /** Model servers that answer on this machine, as far as they were looked for. */
  readonly servers: readonly LocalServer[]
  /** What was left out of the instructions and of the servers, for the user to read. */
  readonly problems: readonly ErrorRecord[]
  /** MCP servers, where some are configured. */
  readonly mcp: McpHost | undefined
  /** Agents of others that work may be given to, where some are configured. */
  readonly peers: OpenPeers | undefined
  /** Agent Skills of this place, where they are not switched off. */
  readonly skills: OpenSkills | undefined
  /** What a run of this goal keeps: what it needs to be taken up from any folder, and the skills that the goal names. */
  metadataOf(goal: string): JsonObject
  /** @throws HostError `usage` when there is no such agent */
  agentNamed(name: string): Agent
  /** What keeps the model of an agent from answering. */
  modelProblem(agent: string): TenonError | undefined
  /** @throws TenonError that says how to get a model, when none can answer */
  requireModel(): void
  /** Looks for skills that changed, orders their catalogue by the goal, and returns what its run keeps. */
  prepare(goal: string): Promise<JsonObject>
  /** From the next run on the main agent's view holds this as well; a part of the same id is replaced. */
  attach(part: FramePart): void
  /** From the next run on the main agent's view holds this as well, or no longer. */
  remember(part: FramePart | undefined): void
  close(): Promise<void>
}

import type { Agent, Engine, ErrorRecord, FramePart, JsonObject, TenonError } from '@tenon/kernel'
import type { McpHost } from '@tenon/mcp'
import type { LocalServer, ModelDecision } from '@tenon/models'
import type { Store } from '@tenon/store'
import type { OpenPeers } from '../a2a/open-peers.js'
import type { TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import type { LoadedConfig } from '../config/load-config.js'
import type { PlannerName } from '../config/planner-names.js'
import { agentsMd } from '../instructions/agents-md.js'
import type { OpenSkills } from '../skills/open-skills.js'
import { KnownSecrets } from './known-secrets.js'
import { configOfAgent, unknownAgent, usualAgent } from './named-agent.js'
import { secretsOfConfig } from './secrets-of-config.js'
import { startServers } from './start-servers.js'
import { wantedOf } from './wanted-model.js'
import { workingFolder, workspaceFolder } from './workspace-folder.js'

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

/** @throws KernelError `agent-unknown`; HostError when the workspace or the configuration cannot be used */
export async function openHost(options: HostOptions): Promise<Host> {
  const { loaded, environment, choosing } = options
  const { config } = loaded
  const name = choosing.agent ?? usualAgent(config)
  if (configOfAgent(config, name) === undefined) throw unknownAgent(name, config)

  // Throws where there is no such model.
  wantedOf(options, name, name)
  const workspace = workspaceFolder(choosing.workspace, loaded, options.cwd)
  const instructions = await agentsMd(workingFolder(options.cwd, workspace))
  const secrets = new KnownSecrets(secretsOfConfig(config, environment))
  // Before everything that takes time, the loading of most of this program with it: a server is a process, and most of a
  // start is waiting for the slowest.
  const mcp = await startServers(options, workspace, secrets, async () => (await models).open(name).model)
  const models = import('./agent-models.js').then(({ AgentModels }) =>
    AgentModels.probe(options, name, options.everything),
  )
  models.catch(() => {})
  try {
    const { besideServers } = await import('./beside-servers.js')
    return await besideServers(mcp, { options, name, workspace, instructions, secrets, models })
  } catch (error) {
    await mcp?.host.close()
    throw error
  }
}

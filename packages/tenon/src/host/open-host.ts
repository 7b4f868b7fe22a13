import { resolve } from 'node:path'
import {
  type Agent,
  type Engine,
  type ErrorRecord,
  type FramePart,
  isTenonError,
  type JsonObject,
  type Model,
  type TenonError,
} from '@tenon/kernel'
import type { McpHost } from '@tenon/mcp'
import type { LocalServer, ModelDecision } from '@tenon/models'
import type { Store } from '@tenon/store'
import type { OpenPeers } from '../a2a/open-peers.js'
import type { AgentConfig, TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import type { LoadedConfig } from '../config/load-config.js'
import { nearestWord } from '../config/nearest-word.js'
import type { PlannerName } from '../config/planner-names.js'
import { HostError } from '../errors.js'
import { agentsMd, type Instructions } from '../instructions/agents-md.js'
import { agentOfOneCall, oneCallAgent } from '../mcp/one-call-agent.js'
import type { OpenSkills } from '../skills/open-skills.js'
import type { ServedSkills } from '../skills/served-skills.js'
import { AgentModels } from './agent-models.js'
import { type AgentSurroundings, agentOfConfig } from './agent-of-config.js'
import { agentUnderModel, partsUnderModel } from './agent-under-model.js'
import { KnownSecrets } from './known-secrets.js'
import { secretsOfConfig } from './secrets-of-config.js'
import { storeEngine } from './store-engine.js'
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

/** The name of the agent where no configuration names one. */
const DEFAULT_AGENT = 'assistant'

/** @throws KernelError `agent-unknown`; HostError when the workspace or the configuration cannot be used */
export async function openHost(options: HostOptions): Promise<Host> {
  const { loaded, environment, choosing } = options
  const { config } = loaded
  const name = choosing.agent ?? config.agent ?? Object.keys(config.agents ?? {})[0] ?? DEFAULT_AGENT
  if (configOf(config, name) === undefined) throw unknownAgent(name, config)

  AgentModels.check(options, name)
  const workspace = workspaceFolder(choosing.workspace, loaded, options.cwd)
  const instructions = await agentsMd(workingFolder(options.cwd, workspace))
  const secrets = new KnownSecrets(secretsOfConfig(config, environment))
  // Before everything that takes time: a server is a process, and most of a start is waiting for the slowest.
  const mcp = await startServers(options, workspace, secrets, async () => (await probing).open(name).model)
  const probing = AgentModels.probe(options, name, options.everything)
  try {
    return await besideServers(mcp, { options, name, workspace, instructions, secrets, probing })
  } catch (error) {
    await mcp?.host.close()
    throw error
  }
}

type Beginning = {
  readonly options: HostOptions
  readonly name: string
  readonly workspace: string
  readonly instructions: Instructions
  readonly secrets: KnownSecrets
  readonly probing: Promise<AgentModels>
}

/** Everything else of a host is made ready while its servers start. */
async function besideServers(
  mcp: StartedServers | undefined,
  { options, name, workspace, instructions, secrets, probing }: Beginning,
): Promise<Host> {
  const { loaded, store, choosing } = options
  const { config } = loaded
  const [models, peers, delivery, ownSkills] = await Promise.all([
    probing,
    reachPeers(config, store, () => engine),
    deliveryOf(config, store),
    findSkills(options, workspace, NONE_SERVED),
  ])
  const toldOfServers = (await mcp?.settled()) ?? []
  const attached = await attachedResources(config, mcp?.host)
  const served = await skillsOfServers(options, mcp?.host)
  const skills = served === NONE_SERVED ? ownSkills : await findSkills(options, workspace, served)
  const built = new Map<string, Agent>()
  const agents = (wanted: string): Agent | undefined => {
    const whose = agentOfOneCall(wanted)
    if (whose !== undefined) {
      const agent = agents(whose)
      return agent === undefined ? undefined : oneCallAgent(agent)
    }
    const known = built.get(wanted)
    const agentConfig = chosenFor(wanted === name ? choosing.planner : undefined, configOf(config, wanted))
    if (known !== undefined) return known
    if (agentConfig === undefined) return underModel(wanted)
    const agent = agentOfConfig(wanted, agentConfig, {
      config,
      workspace,
      store,
      engine: () => engine,
      model: models.open(wanted).model,
      instructions: instructions.parts,
      servers: mcp?.host,
      knowledge: attached.parts.get(wanted) ?? [],
      peers,
      delivery,
      skills,
    })
    built.set(wanted, agent)
    return agent
  }
  const underModel = (wanted: string): Agent | undefined => {
    const { agent: whose, alias } = partsUnderModel(wanted) ?? {}
    const agent = whose === undefined ? undefined : agents(whose)
    if (agent === undefined || alias === undefined || config.models?.[alias] === undefined) return undefined
    return agentUnderModel(agent, wanted, models.openAlias(alias).model)
  }
  let extra: ExtraParts = { remembered: undefined, catalogue: undefined, attached: [] }
  const engine = storeEngine(store, agents, secrets.redact)
  const stopFollowing = options.followSkills ? skills?.follow(() => built.clear()) : undefined
  const place = placeOf(options, workspace)
  const metadataOf = (goal: string): JsonObject => ({ ...place, ...skills?.metadata(goal) })
  const decision = models.decide(name)
  const agent = agents(name)
  if (agent === undefined) throw unknownAgent(name, config)
  return {
    engine,
    store,
    config,
    agent,
    decision,
    servers: models.probes.servers,
    problems: [...instructions.problems, ...toldOfServers, ...attached.problems, ...(skills?.problems() ?? [])],
    mcp: mcp?.host,
    peers,
    skills,
    metadataOf,
    agentNamed(wanted) {
      const found = agents(wanted)
      if (found === undefined) throw unknownAgent(wanted, config)
      return found
    },
    modelProblem: (wanted) => models.open(wanted).error,
    requireModel() {
      const { error } = models.open(name)
      if (error !== undefined) throw error
    },
    attach(part) {
      extra = { ...extra, attached: [...extra.attached.filter(({ partId }) => partId !== part.partId), part] }
      built.set(name, withParts(agent, extra))
    },
    remember(part) {
      extra = { ...extra, remembered: part }
      built.set(name, withParts(agent, extra))
    },
    async prepare(goal) {
      await skills?.library.load()
      extra = { ...extra, catalogue: skills?.part({ goal, window: agent.model.contextWindow }) }
      built.set(name, withParts(agent, extra))
      return metadataOf(goal)
    },
    async close() {
      stopFollowing?.()
      await engine.close()
      await mcp?.host.close()
      await peers?.close()
      await models.close()
      store.close()
    },
  }
}

type ExtraParts = {
  readonly remembered: FramePart | undefined
  readonly catalogue: FramePart | undefined
  readonly attached: readonly FramePart[]
}

/** A copy whose tools stay those of now, whenever now is. A catalogue takes the place of the one that it had. */
function withParts(agent: Agent, { remembered, catalogue, attached }: ExtraParts): Agent {
  const parts = [catalogue, ...attached, remembered].filter((part) => part !== undefined)
  const ids = new Set(parts.map(({ partId }) => partId))
  return {
    ...agent,
    frame: [...agent.frame.filter(({ partId }) => !ids.has(partId)), ...parts],
    get tools() {
      return agent.tools
    },
  }
}

/** What was chosen on the command line counts before what the configuration says. */
const chosenFor = (planner: PlannerName | undefined, config: AgentConfig | undefined): AgentConfig | undefined =>
  config === undefined || planner === undefined ? config : { ...config, planner }

const configOf = (config: TenonConfig, name: string): NonNullable<TenonConfig['agents']>[string] | undefined =>
  config.agents?.[name] ?? (name === DEFAULT_AGENT ? {} : undefined)

type StartedServers = {
  readonly host: McpHost
  /** Waits for them as long as a run may, and says what is to be told of them. */
  settled(): Promise<readonly ErrorRecord[]>
}

const SERVER_WAIT_MS = 5_000

/** Loaded only where servers are configured. A server that does not come is a problem to be told, not an end. */
async function startServers(
  { loaded, environment, serverWaitMs, onServerLog }: HostOptions,
  workspace: string,
  secrets: KnownSecrets,
  model: () => Promise<Model>,
): Promise<StartedServers | undefined> {
  const { mcp } = loaded.config
  if (Object.keys(mcp?.servers ?? {}).length + (mcp?.import?.length ?? 0) === 0 || mcp === undefined) return undefined
  const { openMcp } = await import('../mcp/open-mcp.js')
  const { host, problems } = openMcp({
    config: mcp,
    environment,
    folder: loaded.folder,
    workspace,
    secrets,
    model,
    ...(onServerLog === undefined ? {} : { onLog: onServerLog }),
  })
  return {
    host,
    async settled() {
      await host.settled(mcp.wait ?? serverWaitMs ?? SERVER_WAIT_MS)
      const late = host.states
        .filter(({ state }) => state !== 'ready')
        .map(({ name, error, log }) => {
          if (error === undefined) return `${name} is not ready yet; its tools join when it is.`
          return log === '' ? error.message : `${error.message} tenon mcp list --log shows what it wrote.`
        })
      return [
        ...problems.map((message) => ({ code: 'mcp-import', message, retryable: false })),
        ...late.map((message) => ({ code: 'mcp-server', message, retryable: false })),
      ]
    },
  }
}

type Attached = {
  readonly parts: ReadonlyMap<string, readonly FramePart[]>
  readonly problems: readonly ErrorRecord[]
}

/** What the configuration puts into the views of agents. A resource that cannot be read is told and left out. */
async function attachedResources({ agents }: TenonConfig, mcp: McpHost | undefined): Promise<Attached> {
  const parts = new Map<string, readonly FramePart[]>()
  const problems: ErrorRecord[] = []
  if (mcp === undefined) return { parts, problems }
  const { attachResource } = await import('@tenon/mcp')
  const read = async (reference: string): Promise<readonly FramePart[]> => {
    try {
      return [await attachResource(mcp, reference)]
    } catch (error) {
      const message = isTenonError(error) ? error.message : 'it cannot be read'
      problems.push({ code: 'mcp-resource', message: `${reference} is not attached: ${message}`, retryable: false })
      return []
    }
  }
  for (const [name, { resources = [] }] of Object.entries(agents ?? {}))
    if (resources.length > 0) parts.set(name, (await Promise.all(resources.map(read))).flat())
  return { parts, problems }
}

/** Loaded only where peers are configured. */
async function reachPeers({ peers }: TenonConfig, store: Store, engine: () => Engine): Promise<OpenPeers | undefined> {
  if (peers === undefined || Object.keys(peers).length === 0) return undefined
  const { openPeers } = await import('../a2a/open-peers.js')
  return openPeers(peers, store.artifacts, engine)
}

/** Loaded only where an agent is offered to others. */
async function deliveryOf({ agents }: TenonConfig, { artifacts }: Store): Promise<AgentSurroundings['delivery']> {
  if (!Object.values(agents ?? {}).some((agent) => agent.public !== undefined)) return undefined
  const { deliverTool } = await import('@tenon/a2a')
  return { tools: [deliverTool(artifacts)] }
}

/** Loaded only where skills are not switched off. */
async function findSkills(
  { loaded, environment, cwd }: HostOptions,
  workspace: string,
  served: ServedSkills,
): Promise<OpenSkills | undefined> {
  const { skills = {} } = loaded.config
  if (skills.enabled === false) return undefined
  const { openSkills } = await import('../skills/open-skills.js')
  const folders = skills.folders?.map((folder) => resolve(loaded.folder, folder))
  const config = folders === undefined ? skills : { ...skills, folders }
  return openSkills({
    config,
    environment,
    cwd: workingFolder(cwd, workspace),
    workspace,
    folder: loaded.folder,
    sandbox: loaded.config.sandbox ?? {},
    served,
  })
}

const NONE_SERVED: ServedSkills = { roots: [], problems: [] }

/** Skills that MCP servers offer, brought here and verified. */
async function skillsOfServers({ loaded, environment }: HostOptions, host: McpHost | undefined): Promise<ServedSkills> {
  if (host === undefined || loaded.config.skills?.enabled === false) return NONE_SERVED
  const { servedSkills } = await import('../skills/served-skills.js')
  const served = await servedSkills(host, environment, loaded.folder)
  return served.roots.length + served.problems.length === 0 ? NONE_SERVED : served
}

function unknownAgent(name: string, config: TenonConfig): HostError {
  const names = Object.keys(config.agents ?? {})
  const near = nearestWord(name, names)
  const hint = near === undefined ? `There are: ${names.join(', ') || DEFAULT_AGENT}.` : `Did you mean "${near}"?`
  return new HostError('usage', `There is no agent "${name}". ${hint}`)
}

function placeOf({ loaded, cwd, choosing }: HostOptions, workspace: string): JsonObject {
  return {
    cwd,
    workspace,
    ...(loaded.file === undefined ? {} : { config: loaded.file }),
    ...(choosing.model === undefined ? {} : { model: choosing.model }),
    ...(choosing.rehearsal === undefined ? {} : { rehearsal: resolve(cwd, choosing.rehearsal) }),
    ...(choosing.planner === undefined ? {} : { planner: choosing.planner }),
  }
}

import { resolve } from 'node:path'
import { type Agent, type Engine, type ErrorRecord, type FramePart, isTenonError, type JsonObject } from '@tenon/kernel'
import type { McpHost } from '@tenon/mcp'
import type { Store } from '@tenon/store'
import type { OpenPeers } from '../a2a/open-peers.js'
import type { AgentConfig, TenonConfig } from '../config/config-table.js'
import type { PlannerName } from '../config/planner-names.js'
import type { Instructions } from '../instructions/agents-md.js'
import { agentOfOneCall, oneCallAgent } from '../mcp/one-call-agent.js'
import type { OpenSkills } from '../skills/open-skills.js'
import { type ServedSkills, servedSkills } from '../skills/served-skills.js'
import type { AgentModels } from './agent-models.js'
import { agentOfConfig } from './agent-of-config.js'
import type { AgentSurroundings } from './agent-surroundings.js'
import { agentUnderModel, partsUnderModel } from './agent-under-model.js'
import type { Host } from './host.js'
import type { HostOptions } from './host-options.js'
import type { KnownSecrets } from './known-secrets.js'
import { configOfAgent, unknownAgent } from './named-agent.js'
import type { StartedServers } from './start-servers.js'
import { storeEngine } from './store-engine.js'
import { workingFolder } from './workspace-folder.js'

type Beginning = {
  readonly options: HostOptions
  readonly name: string
  readonly workspace: string
  readonly instructions: Instructions
  readonly secrets: KnownSecrets
  readonly models: Promise<AgentModels>
}

/** Everything else of a host is made ready while its servers start. */
export async function besideServers(
  mcp: StartedServers | undefined,
  { options, name, workspace, instructions, secrets, models: probing }: Beginning,
): Promise<Host> {
  const { loaded, store, choosing } = options
  const { config } = loaded
  const [models, peers, delivery, ownSkills] = await Promise.all([
    probing,
    reachPeers(config, store, () => engine),
    deliveryOf(config, store),
    findSkills(options, workspace, NONE_SERVED),
  ])
  // Kept for the agent below: reading a rehearsal or reaching for a local model takes its time.
  models.open(name)
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
    const agentConfig = chosenFor(wanted === name ? choosing.planner : undefined, configOfAgent(config, wanted))
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

type Attached = {
  readonly parts: ReadonlyMap<string, readonly FramePart[]>
  readonly problems: readonly ErrorRecord[]
}

/** What the configuration puts into the views of agents. A resource that cannot be read is told and left out. */
async function attachedResources({ agents }: TenonConfig, mcp: McpHost | undefined): Promise<Attached> {
  const parts = new Map<string, readonly FramePart[]>()
  const problems: ErrorRecord[] = []
  if (mcp === undefined) return { parts, problems }
  const read = async (reference: string): Promise<readonly FramePart[]> => {
    const { attachResource } = await import('@tenon/mcp')
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
  const served = await servedSkills(host, environment, loaded.folder)
  return served.roots.length + served.problems.length === 0 ? NONE_SERVED : served
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

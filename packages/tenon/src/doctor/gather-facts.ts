import { errorRecord } from '@tenon/kernel'
import { TOOL_BUDGET } from '@tenon/mcp'
import type { AgentConfig, TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import type { Host } from '../host/host.js'
import { hasNoPrices } from '../host/limits-without-prices.js'
import { surroundingsOf } from '../skills/surroundings-of.js'
import type { FoundSandbox } from './gather-sandbox.js'
import { gatherServers } from './gather-servers.js'
import { gatherSkills, skillCatalogue } from './gather-skills.js'
import type { AgentFacts, CatalogueFacts, PeerFacts, ProjectFacts, ServerFacts } from './project-facts.js'

export type Gathered = {
  readonly host: Host
  readonly peers: readonly PeerFacts[]
  readonly sandbox: FoundSandbox
  readonly environment: Environment
}

/** A project as an open host shows it. Starts nothing more and asks nobody. */
export function gatherFacts({ host, peers, sandbox, environment }: Gathered): ProjectFacts {
  const { config } = host
  const agents = agentsOf(host)
  const servers = gatherServers(host.mcp)
  const toolNames = new Set([
    ...agents.flatMap(({ tools }) => tools),
    ...servers.flatMap(({ tools }) => tools.map(({ shownName }) => shownName)),
  ])
  return {
    agents,
    servers,
    skills: gatherSkills(
      host.skills,
      surroundingsOf({ config, tools: toolNames, skills: host.skills?.current().byName.keys() ?? [], environment }),
    ),
    peers,
    toolNames,
    toolCatalogue: toolCatalogue(servers, config),
    skillCatalogue: skillCatalogue(host.skills, host.agent.model.contextWindow),
    sandbox: sandbox.usable
      ? { usable: true, name: sandbox.name, strength: sandbox.isolation.strength, runs: sandbox.runs }
      : { usable: false, reason: sandbox.reason },
    deprecatedSettings: deprecatedSettings(config),
  }
}

const HANDS_ON: readonly string[] = ['delegate', 'run_agent']

function agentsOf(host: Host): readonly AgentFacts[] {
  const configured = Object.entries(host.config.agents ?? {})
  const all: readonly (readonly [string, AgentConfig])[] = configured.length > 0 ? configured : [[host.agent.name, {}]]
  return all.map(([name, { system, tools: patterns = [], public: face }]) => {
    const { tools, limits } = host.agentNamed(name)
    const names = tools.map((tool) => tool.name)
    // Of the main agent the ways to a model are told one by one.
    const problem = name === host.agent.name ? undefined : host.modelProblem(name)
    return {
      name,
      system: system ?? '',
      limits: limits ?? {},
      offered: patterns,
      tools: names,
      delegates: HANDS_ON.some((tool) => names.includes(tool)),
      isUnpriced: hasNoPrices(host, name),
      isPublic: face !== undefined,
      ...(problem === undefined ? {} : { modelProblem: errorRecord(problem) }),
    }
  })
}

function deprecatedSettings({ mcp }: TenonConfig): ProjectFacts['deprecatedSettings'] {
  const levels = Object.entries(mcp?.servers ?? {}).filter(([, { logLevel }]) => logLevel !== undefined)
  return [
    ...(mcp?.sampling === true ? [{ where: 'mcp.sampling', feature: 'sampling' as const }] : []),
    ...(mcp?.logLevel === undefined ? [] : [{ where: 'mcp.logLevel', feature: 'logging' as const }]),
    ...levels.map(([name]) => ({ where: `mcp.servers.${name}.logLevel`, feature: 'logging' as const })),
  ]
}

const toolCatalogue = (servers: readonly ServerFacts[], { mcp }: TenonConfig): CatalogueFacts => ({
  entries: servers.reduce((sum, { tools }) => sum + tools.length, 0),
  tokens: servers.reduce((sum, { tokens }) => sum + tokens, 0),
  budget: mcp?.toolTokens ?? TOOL_BUDGET,
})

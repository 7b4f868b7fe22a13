import { type Agent, type FramePart, HOST, isTenonError, type Limits, type Tool } from '@tenon/kernel'
import { ACTIVATE_SKILL, beginningWithNamedSkills } from '@tenon/skills'
import type { AgentConfig } from '../config/config-table.js'
import { HostError } from '../errors.js'
import { policyOfServers } from '../mcp/policy-of-servers.js'
import { ajvCompiler } from '../schema/ajv-compiler.js'
import type { AgentSurroundings } from './agent-surroundings.js'
import { nameUnderModel } from './agent-under-model.js'
import { PLANNERS } from './planners.js'
import { policyOfConfig } from './policy-of-config.js'
import { toolsOfConfig } from './tools-of-config.js'

/** An agent as the engine drives it, from its entry in the configuration. */
export function agentOfConfig(name: string, config: AgentConfig, around: AgentSurroundings): Agent {
  const { description, settings, output } = config
  const planner = PLANNERS[config.planner ?? 'react']()
  const tools = toolsNow(toolsOfConfig(name, around), config.tools, [
    ...(around.servers === undefined ? [] : [around.servers]),
    ...(around.peers === undefined ? [] : [around.peers]),
    ...(around.delivery === undefined || config.public === undefined ? [] : [around.delivery]),
    ...skillTools(around, () => tools()),
  ])
  return {
    name,
    model: around.model,
    get tools() {
      return tools()
    },
    planner: around.skills === undefined ? planner : beginningWithNamedSkills(planner),
    policy: policyOfConfig(around.config.policy, config.policy, policyOfServers(around.config.mcp)),
    frame: [...[...frameOf(config, around.instructions), ...around.knowledge], ...skillParts(around, tools())],
    limits: limitsOf(config.limits),
    ...(description === undefined ? {} : { description }),
    ...(settings === undefined ? {} : { settings }),
    ...(output === undefined ? {} : { output: outputOf(name, output) }),
  }
}

/** @throws HostError `config-invalid` that names the key */
function outputOf(
  agent: string,
  { name = 'result', schema }: NonNullable<AgentConfig['output']>,
): NonNullable<Agent['output']> {
  try {
    return { name, schema: ajvCompiler(schema) }
  } catch (cause) {
    if (!isTenonError(cause)) throw cause
    throw new HostError('config-invalid', `agents.${agent}.output.schema: ${cause.message}`, { cause })
  }
}

/** Said first, unless the configuration says something else. */
const SYSTEM =
  'You pursue the goal of the user with the tools that you are given. Look before you answer, change only what the goal asks for, and end with a short answer that says what you found or did.'

function frameOf(config: AgentConfig, instructions: readonly FramePart[]): readonly FramePart[] {
  const system: FramePart = {
    partId: 'system',
    kind: 'system-prompt',
    provenance: HOST,
    text: config.system ?? SYSTEM,
  }
  return config.instructions === 'off' ? [system] : [system, ...instructions]
}

function limitsOf(config: AgentConfig['limits']): Limits {
  if (config === undefined) return {}
  const { wall, ...limits } = config
  return wall === undefined ? limits : { ...limits, wallMs: wall }
}

/** Looked up anew each round: the same list until a server or a skill folder offers something else. */
function toolsNow(
  own: readonly Tool[],
  patterns: readonly string[] | undefined,
  sources: readonly { readonly tools: readonly Tool[] }[],
): () => readonly Tool[] {
  const fixed = offered(own, patterns)
  if (sources.length === 0) return () => fixed
  let known: readonly (readonly Tool[])[] = []
  let all = fixed
  return () => {
    const now = sources.map(({ tools }) => tools)
    if (now.some((tools, index) => tools !== known[index])) {
      known = now
      all = [...fixed, ...now.flatMap((tools) => offered(tools, patterns))]
    }
    return all
  }
}

function skillTools(
  { skills, engine, store, config }: AgentSurroundings,
  tools: () => readonly Tool[],
): readonly { readonly tools: readonly Tool[] }[] {
  if (skills === undefined) return []
  const { builtin = {} } = config.tools ?? {}
  const source = skills.toolsFor({
    engine,
    artifacts: store.artifacts,
    agents: new Set(Object.keys(config.agents ?? {})),
    offered: () => new Set(tools().map(({ name }) => name)),
    underModel: (agent, alias) => (config.models?.[alias] === undefined ? undefined : nameUnderModel(agent, alias)),
  })
  const switchedOff = Object.values(builtin).includes(false)
  if (!switchedOff) return [source]
  let known: readonly Tool[] = []
  let kept: readonly Tool[] = []
  return [
    {
      get tools() {
        if (source.tools !== known) {
          known = source.tools
          kept = known.filter(({ name }) => builtin[name] !== false)
        }
        return kept
      },
    },
  ]
}

/** The catalogue is for agents that can take a skill up. */
function skillParts({ skills, model }: AgentSurroundings, tools: readonly Tool[]): readonly FramePart[] {
  const part = tools.some(({ name }) => name === ACTIVATE_SKILL)
    ? skills?.part({ window: model.contextWindow })
    : undefined
  return part === undefined ? [] : [part]
}

/** Without it nothing of a catalogue past its budget could be found, whatever an agent's patterns say. */
const SEARCH = 'search_tools'

/** The tools whose names fit one of the patterns; all where there are none. */
function offered(tools: readonly Tool[], patterns: readonly string[] | undefined): readonly Tool[] {
  if (patterns === undefined) return tools
  const fits = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`, 'su'))
  return tools.filter(({ name }) => name === SEARCH || fits.some((fit) => fit.test(name)))
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

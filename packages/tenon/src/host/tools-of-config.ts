import { runAgentTool, type Tool } from '@tenon/kernel'
import { builtinTools } from '../tools/builtin-tools.js'
import type { AgentSurroundings } from './agent-of-config.js'

/** The tools that an agent may be offered, as the configuration bounds them and switches them. */
export function toolsOfConfig(agent: string, around: AgentSurroundings): readonly Tool[] {
  const { config, workspace, store, engine } = around
  const { builtin = {}, trust, fetch } = config.tools ?? {}
  const others = Object.entries(config.agents ?? {})
    .filter(([name]) => name !== agent)
    .map(([name, { description }]) => (description === undefined ? { name } : { name, description }))
  const all = [
    ...builtinTools({
      workspace,
      artifacts: store.artifacts,
      ...(trust === undefined ? {} : { fileTrust: trust }),
      ...(fetch?.allow === undefined ? {} : { fetchAllow: fetch.allow }),
    }),
    ...(others.length === 0 ? [] : [runAgentTool({ engine, agents: others })]),
  ]
  return all.filter(({ name }) => builtin[name] !== false)
}

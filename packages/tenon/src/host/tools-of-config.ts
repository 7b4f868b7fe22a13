import { runAgentTool, type Tool } from '@tenon/kernel'
import type { CommandConfig, SandboxConfig } from '../config/config-table.js'
import { revealed } from '../skills/script-grants.js'
import { builtinTools } from '../tools/builtin-tools.js'
import { runCommandTool } from '../tools/run-command.js'
import type { AgentSurroundings } from './agent-surroundings.js'

/** The tools that an agent may be offered, as the configuration bounds them and switches them. */
export function toolsOfConfig(agent: string, around: AgentSurroundings): readonly Tool[] {
  const { config, workspace, store, engine } = around
  const { builtin = {}, trust, fetch, command } = config.tools ?? {}
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
    ...(command === undefined ? [] : [commandTool(command, workspace, config.sandbox)]),
    ...(others.length === 0 ? [] : [runAgentTool({ engine, agents: others })]),
  ]
  return all.filter(({ name }) => builtin[name] !== false)
}

function commandTool(
  { workspace: access, env, time, memory }: CommandConfig,
  workspace: string,
  sandbox: SandboxConfig = {},
): Tool {
  return runCommandTool({
    workspace,
    access,
    sandbox: { require: 'strong', ...sandbox },
    ...(env === undefined ? {} : { env: () => revealed(env) }),
    ...(time === undefined ? {} : { timeMs: time }),
    ...(memory === undefined ? {} : { memory: memory * 1024 * 1024 }),
  })
}

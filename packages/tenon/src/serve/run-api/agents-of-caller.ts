import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { publicAgentNames } from '../public-agent-names.js'

/** Agents that a caller may give a goal: the public ones, and all of them for somebody who may see everybody's runs. */
export function agentNamesFor({ config, agent }: Host, caller: Caller): readonly string[] {
  if (!caller.scopes.has('runs:any')) return publicAgentNames(config)
  return [...new Set([agent.name, ...Object.keys(config.agents ?? {})])]
}

import type { AgentConfig, TenonConfig } from '../config/config-table.js'
import { nearestWord } from '../config/nearest-word.js'
import { HostError } from '../errors.js'

/** The name of the agent where no configuration names one. */
const DEFAULT_AGENT = 'assistant'

/** The agent that is meant where nobody names one. */
export const usualAgent = ({ agent, agents = {} }: TenonConfig): string =>
  agent ?? Object.keys(agents)[0] ?? DEFAULT_AGENT

export const configOfAgent = ({ agents }: TenonConfig, name: string): AgentConfig | undefined =>
  agents?.[name] ?? (name === DEFAULT_AGENT ? {} : undefined)

export function unknownAgent(name: string, config: TenonConfig): HostError {
  const names = Object.keys(config.agents ?? {})
  const near = nearestWord(name, names)
  const hint = near === undefined ? `There are: ${names.join(', ') || DEFAULT_AGENT}.` : `Did you mean "${near}"?`
  return new HostError('usage', `There is no agent "${name}". ${hint}`)
}

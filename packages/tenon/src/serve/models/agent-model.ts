import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import { publicAgentNames } from '../public-agent-names.js'

const PREFIX = 'agent:'

/** The name under which a public agent is a model. */
export const modelOfAgent = (agent: string): string => PREFIX + agent

/** The public agent that a model names. @throws HostError `model-unknown` */
export function agentOfModel({ config }: Host, model: unknown): string {
  const agent = typeof model === 'string' && model.startsWith(PREFIX) ? model.slice(PREFIX.length) : undefined
  if (agent !== undefined && publicAgentNames(config).includes(agent)) return agent
  throw new HostError(
    'model-unknown',
    agent === undefined
      ? 'Models here are agents, named agent:NAME; GET /v1/models lists them. Other models are a matter of a gateway, which this server is not.'
      : `There is no public agent ${JSON.stringify(agent)}. GET /v1/models lists those there are.`,
  )
}

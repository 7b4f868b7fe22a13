import { type AgentFacts, BUDGET_DECLARATION, type ExposedAgent, TASK_LIMITS } from '@tenon/a2a'
import type { JsonObject } from '@tenon/kernel'
import type { AgentConfig, ServeConfig } from '../config/config-table.js'
import { rejectsByConfig } from './rejects-by-config.js'

/** An agent of the configuration, as it is offered to others. */
export function publicAgent(
  name: string,
  config: AgentConfig,
  { openTasks }: ServeConfig,
  metadata: (goal: string) => JsonObject,
): ExposedAgent {
  const { inputModes, whileWorking = 'queue', answers, takes, extendedCard, budget = true } = config.public ?? {}
  const facts = factsOf(name, config)
  return {
    agent: name,
    facts,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      ...(extendedCard === undefined ? {} : { extendedCard: { ...facts, ...cardFacts(name, extendedCard) } }),
      ...(budget ? { extensions: [BUDGET_DECLARATION] } : {}),
    },
    outputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    whileWorking,
    limits: { ...TASK_LIMITS, ...(openTasks === undefined ? {} : { openTasks }) },
    metadata,
    ...(inputModes === undefined ? {} : { inputModes }),
    ...(takes === undefined ? {} : { rejects: rejectsByConfig(takes) }),
    ...(answers === undefined ? {} : { answers: () => answers }),
  }
}

function factsOf(name: string, { description = `The agent ${name}.`, public: offer = {} }: AgentConfig): AgentFacts {
  return {
    name,
    description,
    version: offer.version ?? '1.0.0',
    skills: [{ id: name, name, description, tags: [name] }],
    ...cardFacts(name, offer),
  }
}

type CardWords = Pick<NonNullable<NonNullable<AgentConfig['public']>['extendedCard']>, 'description' | 'skills'>

/** What is written, and nothing of what is not. */
function cardFacts(name: string, { description, skills }: CardWords): Partial<AgentFacts> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(skills?.length
      ? { skills: skills.map((skill) => ({ ...skill, tags: skill.tags?.length ? skill.tags : [name] })) }
      : {}),
  }
}

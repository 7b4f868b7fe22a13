import { type AgentFacts, BUDGET_DECLARATION, type ExposedAgent, TASK_LIMITS } from '@tenon/a2a'
import type { JsonObject } from '@tenon/kernel'
import type { AgentConfig, ServeConfig } from '../config/config-table.js'

/** An agent of the configuration, as it is offered to others. */
export function publicAgent(
  name: string,
  config: AgentConfig,
  { openTasks }: ServeConfig,
  metadata: (goal: string) => JsonObject,
): ExposedAgent {
  const { inputModes, whileWorking = 'queue', answers, budget = true } = config.public ?? {}
  return {
    agent: name,
    facts: factsOf(name, config),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      ...(budget ? { extensions: [BUDGET_DECLARATION] } : {}),
    },
    outputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    whileWorking,
    limits: { ...TASK_LIMITS, ...(openTasks === undefined ? {} : { openTasks }) },
    metadata,
    ...(inputModes === undefined ? {} : { inputModes }),
    ...(answers === undefined ? {} : { answers: () => answers }),
  }
}

function factsOf(name: string, { description, public: offer }: AgentConfig): AgentFacts {
  const about = description ?? `The agent ${name}.`
  const skills = offer?.skills?.map((skill) => ({ ...skill, tags: skill.tags?.length ? skill.tags : [name] }))
  return {
    name,
    description: about,
    version: offer?.version ?? '1.0.0',
    skills: skills?.length ? skills : [{ id: name, name, description: about, tags: [name] }],
  }
}

import { agentNamesFor } from './agents-of-caller.js'
import { route } from './route.js'

export const listAgents = route({
  name: 'listAgents',
  method: 'GET',
  path: '/agents',
  about: 'Agents that the caller can give a goal.',
  scope: 'runs:read',
  answers: { 200: { about: 'The agents.', schema: 'Agents' } },
  answer({ ports: { host }, caller }) {
    const agents = agentNamesFor(host, caller).map((name) => {
      const { description } = host.config.agents?.[name] ?? {}
      return { name, main: name === host.agent.name, ...(description === undefined ? {} : { description }) }
    })
    return { status: 200, body: { agents } }
  },
})

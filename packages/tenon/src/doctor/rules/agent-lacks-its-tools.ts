import { matchesName } from '@tenon/mcp'
import type { Rule } from '../rule.js'

export const agentLacksItsTools: Rule = {
  id: 'agent-lacks-its-tools',
  severity: 'warning',
  title: 'An agent is given tools that nobody has',
  reason: 'What fits no tool is passed over: the agent works without, and nobody says so until a run fails.',
  fix: 'Mend the name under agents.NAME.tools, or configure what brings the tool: a server, a peer, a skill, tools.command.',
  look: ({ agents, servers }) => {
    // What a server has that does not answer is not known: that is told of the server.
    const silent = servers.filter(({ state }) => state !== 'ready').map(({ name }) => `${name}__`)
    return agents.flatMap(({ name, offered, tools }) =>
      offered
        .filter((pattern) => !silent.some((server) => pattern.startsWith(server)))
        .filter((pattern) => !tools.some((tool) => matchesName([pattern], tool)))
        .map((pattern) => ({ where: `agents.${name}.tools`, text: `no tool fits ${pattern}` })),
    )
  },
}

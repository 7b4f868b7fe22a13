import type { AgentCard } from '@tenon/a2a'
import { isJsonObject, type Json } from '@tenon/kernel'
import type { Rule } from '../rule.js'

export const peerIsAFunction: Rule = {
  id: 'peer-is-a-function',
  severity: 'warning',
  title: 'An A2A peer is one stateless function',
  reason:
    'Data in, data out, with no task to follow and nothing to ask back: the life cycle of a task is paid for and not used, and the model writes prose where a schema would hold it to arguments.',
  layer: 'an MCP tool, or a function where the code can run in this process',
  fix: 'Offer it as a tool of an MCP server with an input schema (tenon new mcp-server NAME), and take the peer out.',
  look: ({ peers }) =>
    peers.flatMap(({ name, card }) =>
      card !== undefined && isAFunction(card)
        ? [
            {
              where: `peers.${name}`,
              text: `its one skill, ${card.skills[0]?.id}, takes data and returns data at once`,
            },
          ]
        : [],
    ),
}

/** One skill, structured data both ways, and nothing of a task's life declared. */
function isAFunction({ skills, streaming, pushNotifications, json }: AgentCard): boolean {
  if (skills.length !== 1 || streaming || pushNotifications) return false
  const [skill] = Array.isArray(json.skills) ? json.skills : []
  const own = isJsonObject(skill) ? skill : {}
  return isData(own.inputModes ?? json.defaultInputModes) && isData(own.outputModes ?? json.defaultOutputModes)
}

const isData = (modes: Json | undefined): boolean =>
  Array.isArray(modes) &&
  modes.length > 0 &&
  modes.every((mode) => /^application\/(?:[\w.-]+\+)?(?:json|xml)$/.test(String(mode)))

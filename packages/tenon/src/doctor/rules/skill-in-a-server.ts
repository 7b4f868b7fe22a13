import type { ServerFacts, ToolFacts } from '../project-facts.js'
import type { Found, Rule } from '../rule.js'
import { stepsIn } from './steps-in.js'

/** A procedure has at least so many numbered steps. */
const STEPS = 3
const METHOD =
  /\b(?:instructions|guidelines?|guide|playbook|procedure|checklist|best practices|how to|workflow|style ?guide|conventions)\b|指南|规范|流程|手册|清单|最佳实践/i

export const skillInAServer: Rule = {
  id: 'skill-in-a-server',
  severity: 'warning',
  title: 'A method is frozen into an MCP server',
  reason:
    'A method that a tool returns, or that stands in its description or in the instructions of the server, is paid for in every view or never read, is versioned with code instead of by those who know the work, and cannot bring files or scripts along.',
  layer: 'a skill: its description is all that a view holds until the task fits, then its body and files come in',
  fix: 'Move the text into skills/NAME/SKILL.md and keep the calls that the method needs as tools.',
  look: ({ servers }) => servers.flatMap(inServer),
}

function inServer(server: ServerFacts): readonly Found[] {
  const where = `mcp.servers.${server.name}`
  const found = server.tools.flatMap((tool) => {
    const steps = stepsIn(tool.description)
    if (steps >= STEPS) return [{ where, text: `the description of ${tool.name} is a procedure of ${steps} steps` }]
    if (handsOutAMethod(tool)) return [{ where, text: `${tool.name} takes no arguments and returns a method` }]
    return []
  })
  const steps = stepsIn(server.instructions)
  return steps < STEPS ? found : [...found, { where, text: `its instructions are a procedure of ${steps} steps` }]
}

function handsOutAMethod({ name, description, input }: ToolFacts): boolean {
  const takesNothing = Object.keys((input.properties ?? {}) as object).length === 0
  if (!takesNothing || /^(?:list|count|search)/i.test(name)) return false
  return METHOD.test(`${name.replaceAll(/[_-]/g, ' ')} ${description.split(/[.。]/)[0] ?? ''}`)
}

import type { ProjectFacts, ServerFacts } from '../project-facts.js'
import type { Rule } from '../rule.js'

/** With fewer there is little to do wrong. */
const MANY = 3

export const toolsWithoutAMethod: Rule = {
  id: 'tools-without-a-method',
  severity: 'warning',
  title: 'MCP tools that no method says how to use',
  reason:
    'A server says what can be done, never how your work is done: which tool first, what to check, when to stop. The model guesses that anew in every run.',
  layer: 'a skill above the tools, which stay where they are',
  fix: 'Write down how the work is done with these tools (tenon new skill NAME) and name them there, or say it in the system prompt of the agent.',
  look: (facts) =>
    facts.servers
      .filter((server) => server.tools.length >= MANY && !isSpokenOf(server, facts))
      .map(({ name, tools }) => ({
        where: `mcp.servers.${name}`,
        text: `none of its ${tools.length} tools is named by a skill or by the prompt of an agent`,
      })),
}

function isSpokenOf({ name, tools }: ServerFacts, { skills, agents }: ProjectFacts): boolean {
  const usable = skills.filter(({ loadable, modelVisible }) => loadable && modelVisible)
  if (usable.some(({ requires }) => requires.some((one) => one.kind === 'mcp' && one.name.split('/')[0] === name)))
    return true
  const said = [
    ...usable.flatMap(({ text, allowedTools }) => [text, ...allowedTools]),
    ...agents.map(({ system }) => system),
  ].join('\n')
  const names = tools.flatMap((tool) => [tool.shownName, tool.name]).map((tool) => tool.replaceAll(/[^\w]/g, '\\$&'))
  return new RegExp(`(?<![\\w-])(?:mcp__${name}__\\w+|${names.join('|')})(?![\\w-])`).test(said)
}

import { missingTools } from '../../skills/missing-tools.js'
import { REQUIREMENT_WORDS } from '../../skills/requirement-words.js'
import type { ProjectFacts, SkillFacts } from '../project-facts.js'
import type { Found, Rule } from '../rule.js'

export const skillNeedsMissingTools: Rule = {
  id: 'skill-needs-missing-tools',
  severity: 'error',
  title: 'A skill calls for what nobody here has',
  reason:
    'The method is taken up, works until the step that needs the tool, server, peer, program or variable, and then the model makes something up or gives up.',
  fix: 'Configure what the skill names, or take the step out of the skill.',
  look: (facts) => facts.skills.filter(({ loadable }) => loadable).flatMap((skill) => missingOf(skill, facts)),
}

function missingOf(skill: SkillFacts, { toolNames, servers }: ProjectFacts): readonly Found[] {
  const where = `skills/${skill.name}`
  // What a server has that does not answer is not known: that is told of the server.
  const silent = servers.filter(({ state }) => state !== 'ready').map(({ name }) => name)
  const absent = skill.missing.filter(({ kind }) => kind === 'mcp').map(({ name }) => name)
  const told = [...silent, ...absent]
  const isThere = (tool: string): boolean =>
    toolNames.has(tool) || told.some((server) => tool.startsWith(`${server}__`))
  const lost = missingTools([...skill.allowedTools, ...calledFor(skill.text)], isThere)
  return [
    ...skill.missing.map(({ kind, name }) => ({ where, text: `it needs ${kind}:${name}: ${REQUIREMENT_WORDS[kind]}` })),
    ...lost.map((text) => ({ where, text })),
  ]
}

/** Tools of servers that the body speaks of, as other clients write them. */
const calledFor = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w-])mcp__[\w-]+?__[\w-]+/g)].map(([said]) => said)

import type { ProjectFacts } from '../project-facts.js'
import type { Found, Rule } from '../rule.js'

export const scriptsWithoutASandbox: Rule = {
  id: 'scripts-without-a-sandbox',
  severity: 'error',
  title: 'Skills have scripts that no sandbox here may run',
  reason: 'A script is never run in a weaker sandbox than the configuration requires: every call of it is refused.',
  fix: 'Install bubblewrap or a kernel with Landlock, or require less (sandbox.require), knowing what then stays open: docs/sandbox.md.',
  look: (facts) =>
    facts.skills
      .filter(({ loadable, scripts }) => loadable && scripts.length > 0)
      .flatMap(({ name, scripts }) => refused(`skills/${name}`, scripts, facts)),
}

const JAVASCRIPT = /\.[mc]?js$/i

function refused(where: string, scripts: readonly string[], { sandbox }: ProjectFacts): readonly Found[] {
  if (!sandbox.usable) return [{ where, text: `${scripts.join(', ')}: ${sandbox.reason}` }]
  if (sandbox.runs === 'any program') return []
  const others = scripts.filter((script) => !JAVASCRIPT.test(script))
  return others.length === 0 ? [] : [{ where, text: `${others.join(', ')}: ${sandbox.name} runs JavaScript only` }]
}

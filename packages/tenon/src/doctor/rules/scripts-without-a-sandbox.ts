import type { Rule } from '../rule.js'

export const scriptsWithoutASandbox: Rule = {
  id: 'scripts-without-a-sandbox',
  severity: 'error',
  title: 'Skills have scripts and no sandbox here is strong enough',
  reason: 'A script is never run in a weaker sandbox than the configuration requires: every call of it is refused.',
  fix: 'Install bubblewrap or a kernel with Landlock, or require less (sandbox.require), knowing what then stays open: docs/sandbox.md.',
  look: ({ skills, sandbox }) => {
    const scripted = skills.filter(({ loadable, scripts }) => loadable && scripts.length > 0)
    if (sandbox.usable || scripted.length === 0) return []
    return [{ where: 'sandbox', text: `${scripted.map(({ name }) => name).join(', ')}: ${sandbox.reason}` }]
  },
}

import type { Rule } from '../rule.js'

export const delegationWithoutABudget: Rule = {
  id: 'delegation-without-a-budget',
  severity: 'note',
  title: 'An agent that hands work on has no budget',
  reason:
    'What it hands on is paid for as well, and one question can become a tree of runs. Steps bound one run, not the tree.',
  fix: 'Give the agent limits.tokens or limits.money: what sub-runs spend counts there too.',
  look: ({ agents }) =>
    agents
      .filter(({ delegates, limits }) => delegates && limits.tokens === undefined && limits.money === undefined)
      .map(({ name }) => ({ where: `agents.${name}.limits`, text: 'neither tokens nor money are bounded' })),
}

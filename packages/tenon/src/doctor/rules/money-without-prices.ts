import type { Rule } from '../rule.js'

export const moneyWithoutPrices: Rule = {
  id: 'money-without-prices',
  severity: 'warning',
  title: 'A limit in money holds nothing where prices are not known',
  reason: 'A model without prices costs nothing in our books, so that a run never reaches the limit, whatever is paid.',
  fix: 'Write what the provider asks under models.NAME.prices, or bound limits.tokens.',
  look: ({ agents }) =>
    agents
      .filter(({ limits, isUnpriced }) => limits.money !== undefined && isUnpriced)
      .map(({ name, limits }) => ({
        where: `agents.${name}.limits.money`,
        text: `$${limits.money} is set, and what its model costs is not known`,
      })),
}

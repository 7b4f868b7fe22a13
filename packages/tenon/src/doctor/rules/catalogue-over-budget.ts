import type { CatalogueFacts } from '../project-facts.js'
import type { Found, Rule } from '../rule.js'

export const catalogueOverBudget: Rule = {
  id: 'catalogue-over-budget',
  severity: 'warning',
  title: 'A catalogue is larger than its budget',
  reason:
    'What does not fit is found by search only: the agent has to think of searching, pays a turn for it, and chooses worse among many than among few.',
  fix: 'Deny tools that nobody needs (mcp.servers.NAME.deny), give agents their own list (agents.NAME.tools), hide skills (skills.hide), shorten descriptions, or raise mcp.toolTokens or skills.catalogueTokens.',
  look: ({ toolCatalogue, skillCatalogue }) => [
    ...over('mcp.toolTokens', 'definitions of MCP tools', toolCatalogue),
    ...over('skills.catalogueTokens', 'entries of skills', skillCatalogue),
  ],
}

const over = (where: string, what: string, { entries, tokens, budget }: CatalogueFacts): readonly Found[] =>
  tokens <= budget ? [] : [{ where, text: `${entries} ${what} take ${tokens} tokens, ${budget} are allowed` }]

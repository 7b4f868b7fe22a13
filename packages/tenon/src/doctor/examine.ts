import { COMPOSITION_RULES } from './composition-rules.js'
import type { ProjectFacts } from './project-facts.js'
import type { Found, Rule } from './rule.js'

/** A rule with the places that break it. */
export type Finding = { readonly rule: Rule; readonly found: readonly Found[] }

/** Everything that the rules find, in the order of their table. */
export const examine = (facts: ProjectFacts): readonly Finding[] =>
  COMPOSITION_RULES.map((rule) => ({ rule, found: rule.look(facts) })).filter(({ found }) => found.length > 0)

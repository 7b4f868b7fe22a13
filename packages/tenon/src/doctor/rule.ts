import type { ProjectFacts } from './project-facts.js'

/** `error`: something does not work; `warning`: it works on the wrong layer or badly; `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** One way in which a project can be put together badly. Rules are pure: they look at facts and at nothing else. */
export type Rule = {
  /** Stable: people filter by it, and its examples stand in a folder of this name. */
  readonly id: string
  readonly severity: Severity
  /** The rule in one sentence, for its heading. */
  readonly title: string
  /** What goes wrong where it is broken. */
  readonly reason: string
  /** Where it belongs instead; absent where the layer is right. */
  readonly layer?: string
  readonly fix: string
  look(facts: ProjectFacts): readonly Found[]
}

/** One place that breaks a rule. */
export type Found = {
  /** `mcp.servers.crm`, `skills/report`, `peers.researcher` */
  readonly where: string
  readonly text: string
}

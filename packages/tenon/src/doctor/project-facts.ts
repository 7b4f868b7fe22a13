import type { AgentCard } from '@tenon/a2a'
import type { ErrorRecord, JsonObject, Limits } from '@tenon/kernel'
import type { DeprecatedFeature, EraName } from '@tenon/mcp'
import type { Requirement, SandboxPrograms } from '@tenon/skills'

/** What the rules of `tenon doctor` judge: a project as it was found by really starting and asking what it names. */
export type ProjectFacts = {
  readonly agents: readonly AgentFacts[]
  readonly servers: readonly ServerFacts[]
  readonly skills: readonly SkillFacts[]
  readonly peers: readonly PeerFacts[]
  /** Names of all tools that the agents have together. */
  readonly toolNames: ReadonlySet<string>
  readonly toolCatalogue: CatalogueFacts
  readonly skillCatalogue: CatalogueFacts
  readonly sandbox: SandboxFacts
  /** Where the configuration itself asks for what is deprecated. */
  readonly deprecatedSettings: readonly { readonly where: string; readonly feature: DeprecatedFeature }[]
}

export type AgentFacts = {
  readonly name: string
  readonly system: string
  readonly limits: Limits
  /** Names and patterns of the tools that the configuration gives it; empty for all. */
  readonly offered: readonly string[]
  /** Names of its tools. */
  readonly tools: readonly string[]
  /** Why no model answers for it. */
  readonly modelProblem?: ErrorRecord
  /** A model answers for it, and what that costs is not known. */
  readonly isUnpriced: boolean
  /** It may hand work to peers or to other agents. */
  readonly delegates: boolean
  readonly isPublic: boolean
}

export type ServerFacts = {
  readonly name: string
  readonly state: 'ready' | 'late' | 'failed'
  readonly error?: ErrorRecord
  readonly era?: EraName
  readonly version?: string
  readonly instructions: string
  readonly capabilities: JsonObject
  /** Without those that the configuration denies. */
  readonly tools: readonly ToolFacts[]
  /** Of all these definitions. */
  readonly tokens: number
  /** What it was seen to use. */
  readonly deprecated: readonly DeprecatedFeature[]
}

export type ToolFacts = {
  /** On the wire. */
  readonly name: string
  /** As agents see it. */
  readonly shownName: string
  readonly description: string
  readonly input: JsonObject
}

export type SkillFacts = {
  readonly name: string
  readonly folder: string
  readonly loadable: boolean
  readonly modelVisible: boolean
  readonly shadowedBy?: string
  /** Why it cannot be used. */
  readonly problem?: string
  /** The whole SKILL.md; empty where it cannot be used. */
  readonly text: string
  readonly allowedTools: readonly string[]
  /** What it says it needs. */
  readonly requires: readonly Requirement[]
  /** Those of `requires` that are not met here. */
  readonly missing: readonly Requirement[]
  readonly scripts: readonly string[]
}

export type PeerFacts = {
  readonly name: string
  readonly url: string
  /** It runs on this machine. */
  readonly isLocal: boolean
  readonly card?: AgentCard
  /** How the card stands to its signature: `verified`, `published`, `unknown-key` or `unsigned`. */
  readonly signature?: string
  /** `JSONRPC 1.0`, the binding and version that both sides speak. */
  readonly way?: string
  readonly hasCredentials: boolean
  readonly error?: ErrorRecord
}

/** What of a catalogue stands in a view, in estimated tokens. */
export type CatalogueFacts = { readonly entries: number; readonly tokens: number; readonly budget: number }

type SandboxFacts =
  | { readonly usable: true; readonly name: string; readonly strength: string; readonly runs: SandboxPrograms }
  | { readonly usable: false; readonly reason: string }

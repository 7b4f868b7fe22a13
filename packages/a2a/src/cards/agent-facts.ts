import type { JsonObject } from '@tenon/kernel'

export type AgentSkillFacts = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** At least one. */
  readonly tags: readonly string[]
  readonly examples?: readonly string[]
}

/** What an Agent Card says of an agent, apart from where and how it is reached. */
export type AgentFacts = {
  readonly name: string
  readonly description: string
  readonly version: string
  /** At least one. */
  readonly skills: readonly AgentSkillFacts[]
  readonly provider?: { readonly organization: string; readonly url: string }
  readonly documentationUrl?: string
  readonly iconUrl?: string
}

export type AgentCapabilities = {
  readonly streaming: boolean
  readonly pushNotifications: boolean
  /** `declared`: the card says that there is one, and there is none yet. */
  readonly extendedCard?: AgentFacts | 'declared'
  readonly extensions?: readonly {
    readonly uri: string
    readonly description?: string
    readonly required?: boolean
    readonly params?: JsonObject
  }[]
}

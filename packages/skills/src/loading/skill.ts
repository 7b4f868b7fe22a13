import type { Diagnostic } from './diagnostic.js'

/**
 * Whose folder it is. A project goes before the user's own; what was configured by path stands between them; what an MCP
 * server offers comes last.
 */
export type SkillScope = 'project' | 'configured' | 'user' | 'served'

/** A folder that is searched for skills. */
export type SkillRoot = {
  /** Absolute. */
  readonly path: string
  readonly scope: SkillScope
  /** A project that nobody trusts is not read. */
  readonly trusted: boolean
  /** The MCP server whose skills these are. */
  readonly server?: string
  /** Among roots of one scope the smaller goes first; then the path in byte order. */
  readonly rank?: number
}

/** How a skill may be started, from the keys that clients have added to the standard. */
export type Invocation = {
  /** `disable-model-invocation` is not set. */
  readonly byModel: boolean
  /** `user-invocable` is not false. */
  readonly byUser: boolean
  /** What a person may write behind the name. */
  readonly argumentHint?: string
  /** `context: fork`: the skill works in a run of its own. */
  readonly fork: boolean
  readonly agent?: string
  readonly model?: string
}

/** What is known of a SKILL.md and the files beside it. The body is read when it is asked for. */
export type LoadedSkill = {
  readonly root: SkillRoot
  /** The folder by its real path. */
  readonly folder: string
  /** The folder as it was found below its root, `/` between the parts; empty for the root itself. */
  readonly path: string
  /** `SKILL.md`, or how the file is spelt. */
  readonly file: string
  readonly name: string
  readonly description: string | undefined
  readonly license: string | undefined
  readonly compatibility: string | undefined
  readonly metadata: unknown
  readonly allowedTools: readonly string[]
  /** Keys outside the standard, as YAML read them. */
  readonly extra: ReadonlyMap<string, unknown>
  readonly invocation: Invocation
  /** The other files, relative to the folder, in byte order. */
  readonly resources: readonly string[]
  /** Estimate for the body. */
  readonly bodyTokens: number
  readonly diagnostics: readonly Diagnostic[]
  /** It can be activated by its name or, shadowed, could be. */
  readonly loadable: boolean
  /** It follows the open standard's prose. */
  readonly strictlyValid: boolean
}

/** A skill among the others of its library. */
export type Skill = LoadedSkill & {
  /** The skill of the same name that goes before. */
  readonly shadowedBy?: string
  /** It stands in the catalogue and may be activated by the model. */
  readonly modelVisible: boolean
}

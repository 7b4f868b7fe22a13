import type { Json, JsonObject, Prices } from '@tenon/kernel'

/** What a text must be. All that is given must hold; named groups of `matches` become values. */
export type TextCondition = {
  readonly contains?: readonly string[]
  readonly matches?: RegExp
  readonly equals?: string
}

/** One tool result that must have been shown. */
export type ResultCondition = {
  readonly tool?: string
  /** Whether the result is an error. Either will do if absent. */
  readonly error?: boolean
  readonly text?: TextCondition
  /** The result is JSON, and what stands at the JSON pointer (RFC 6901) is equal to the value. */
  readonly at: readonly { readonly pointer: string; readonly equals: Json }[]
  /** Values to take out of the result, by JSON pointer, under a name. */
  readonly take: readonly { readonly name: string; readonly pointer: string }[]
}

/** What a scene wants to have been shown before it plays. What is absent is not looked at. */
export type SceneConditions = {
  /** The first thing that the user said. */
  readonly goal?: TextCondition
  /** The last thing that the user said. */
  readonly user?: TextCondition
  readonly system?: TextCondition
  /** Names that must be among the tools offered. */
  readonly tools: readonly string[]
  /** How many answers of the model stand in the view. */
  readonly turns?: number
  /** The results that the last turn got. An empty list: it got none; so if absent, unless `turns` is given. */
  readonly results?: readonly ResultCondition[]
  /** Results that were shown at any time before. */
  readonly seen: readonly ResultCondition[]
}

export type SceneCall = { readonly tool: string; readonly args: JsonObject }

/** What the model says in a scene. `{{name}}` stands for a value that the conditions took. */
export type SceneLines = {
  readonly reasoning?: string
  readonly text?: string
  /** Said as JSON text: an answer of a given shape. */
  readonly json?: Json
  readonly calls: readonly SceneCall[]
}

export type Scene = {
  readonly name: string
  readonly when: SceneConditions
  readonly say: SceneLines
  /** Tokens a second. As fast as it goes if absent. */
  readonly pace?: number
}

/** A written script that plays the part of a model. Read with `readRehearsal`. */
export type Rehearsal = {
  readonly title: string
  readonly scenes: readonly Scene[]
  readonly pace?: number
  /** What its tokens are counted at, so that budgets in money hold here as they would with a model. Free if absent. */
  readonly prices?: Prices
}

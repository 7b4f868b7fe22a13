import type { JsonObject } from '@tenon/kernel'

/** What of a server's wishes needs no person: roots and, where it is allowed, the use of our model. */
export type AutomaticAnswers = {
  /** For `roots/list`. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string }[]
  /** For `sampling/createMessage`; spends the user's tokens, so it is there only where the configuration says so. */
  readonly sample?: (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>
}

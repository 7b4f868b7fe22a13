import { estimateTokens, type JsonObject } from '@tenon/kernel'

/** What a definition takes of a view, estimated in tokens. */
export const definitionTokens = (name: string, description: string, input: JsonObject): number =>
  estimateTokens(`${name} ${description} ${JSON.stringify(input)}`)

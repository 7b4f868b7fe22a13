import type { JsonObject, ModelRequest } from '@tenon/kernel'
import { text } from '@tenon/kernel'

/** The request with the shape of the answer told in words, for a model that cannot be held to it. */
export function outputPrompt(request: ModelRequest, schema: JsonObject): ModelRequest {
  const words = `Give the final answer as one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
  return { ...request, system: [...request.system, text(words)] }
}

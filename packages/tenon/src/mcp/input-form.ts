import { type InputRequest, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/** Answers that a form cannot carry are typed as JSON text under this name. */
const ANSWER = 'answer'

/** A question of a run as an MCP elicitation. */
export function formOf({ kind, prompt, reason, schema }: InputRequest): JsonObject {
  const message = reason === undefined ? prompt : `${prompt}\n${reason}`
  return { mode: 'form', message, requestedSchema: kind === 'approval' ? APPROVAL : formSchema(schema) }
}

/** The answer to the question as the engine takes it; undefined when the user has not answered. */
export function answerOf(request: InputRequest, elicited: JsonObject): Json | undefined {
  const content = isJsonObject(elicited.content) ? elicited.content : {}
  if (request.kind === 'approval') {
    const approved = elicited.action === 'accept' && content.decision === 'approve'
    if (approved) return { kind: 'approve' }
    return { kind: 'deny', ...(typeof content.reason === 'string' ? { reason: content.reason } : {}) }
  }
  if (elicited.action !== 'accept') return undefined
  if (isFlat(request.schema)) return content
  const answer = content[ANSWER]
  if (answer === undefined || request.schema === undefined || isPlain(request.schema)) return answer
  try {
    return JSON.parse(String(answer)) as Json
  } catch {
    return answer
  }
}

const APPROVAL: JsonObject = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Decision', enum: ['approve', 'deny'] },
    reason: { type: 'string', title: 'Why not' },
  },
  required: ['decision'],
}

/** Forms have one level of plain fields (2025-11-25, elicitation). */
function formSchema(schema: JsonObject | undefined): JsonObject {
  if (schema !== undefined && isFlat(schema)) return schema
  const field = schema !== undefined && isPlain(schema) ? schema : { type: 'string', ...hint(schema) }
  return { type: 'object', properties: { [ANSWER]: field }, required: [ANSWER] }
}

const hint = (schema: JsonObject | undefined): JsonObject =>
  schema === undefined ? {} : { description: `JSON for ${JSON.stringify(schema)}` }

function isFlat(schema: JsonObject | undefined): boolean {
  return (
    schema?.type === 'object' &&
    isJsonObject(schema.properties) &&
    Object.values(schema.properties).every((field) => isJsonObject(field) && isPlain(field))
  )
}

const isPlain = ({ type }: JsonObject): boolean =>
  type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'

import type { Json } from '../content/json.js'
import { isJsonObject } from '../content/json.js'
import type { ApprovalAnswer } from '../run/events.js'

/** Whether this answers an approval. A remembered consent is read before each later call, so it has to be readable. */
export function isApprovalAnswer(answer: Json): answer is ApprovalAnswer & Json {
  if (!isJsonObject(answer)) return false
  const { kind, reason, remember, until, pattern, args } = answer
  if (kind === 'deny') return reason === undefined || typeof reason === 'string'
  return (
    kind === 'approve' &&
    (remember === undefined || remember === 'run' || remember === 'always') &&
    (until === undefined || Number.isFinite(until)) &&
    (pattern === undefined || isJsonObject(pattern)) &&
    (args === undefined || isJsonObject(args))
  )
}

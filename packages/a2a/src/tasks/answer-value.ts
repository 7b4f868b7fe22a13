import type { InputRequest, Json } from '@tenon/kernel'
import type { WireMessage } from '../mapping/wire-types.js'

/** What a caller's message says to a question: its data where the question has a shape and the message has data, else its text. */
export function answerValue(request: InputRequest, { parts }: WireMessage): Json {
  const data = parts.find((part) => 'data' in part)
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []))
  if (data !== undefined && (request.schema !== undefined || texts.length === 0)) return data.data
  return texts.join('\n')
}

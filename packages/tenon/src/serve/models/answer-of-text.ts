import type { InputRequest, Json } from '@tenon/kernel'
import { readAnswer } from '../../cli/consent/ask-question.js'

const YES = /^(y|yes|ok|okay|approve|approved|allow)[.!]?$/i
const NO = /^(n|no|deny|refuse)\b[\s,:.–-]*([\s\S]*)$/i

/**
 * What a person's words say to a question. Undefined where they say nothing that fits: consent takes a yes or a no, and
 * anything else leaves the question open.
 */
export function answerOfText({ kind, schema }: InputRequest, words: string): Json | undefined {
  const said = words.trim()
  if (kind !== 'approval') return readAnswer(said, schema)
  if (YES.test(said)) return { kind: 'approve' }
  const [, no, reason] = NO.exec(said) ?? []
  return no === undefined ? undefined : { kind: 'deny', ...(reason ? { reason } : {}) }
}

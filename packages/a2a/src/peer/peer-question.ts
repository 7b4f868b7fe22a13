import { createHash } from 'node:crypto'
import { type InputNeed, isJsonObject, type Json, type NeedAnswer } from '@tenon/kernel'
import { type PeerStatus, wordsOf } from './peer-task.js'
import type { OutPart } from './wire/dialect.js'

/** What a task waits for. `id` is the same however often and by whatever way the peer tells it. */
export type PeerQuestion = {
  readonly id: string
  readonly kind: 'question' | 'auth'
  readonly words: string
}

export function questionIn(status: PeerStatus | undefined): PeerQuestion | undefined {
  if (status?.state !== 'input-required' && status?.state !== 'auth-required') return undefined
  const words = wordsOf(status.message?.parts ?? []).slice(0, MOST_WORDS)
  const told = `${status.state}\n${status.message?.messageId || status.timestamp || ''}\n${words}`
  return {
    id: createHash('sha256').update(told).digest('hex').slice(0, 16),
    kind: status.state === 'auth-required' ? 'auth' : 'question',
    words,
  }
}

/** The question as our own run asks it. Credentials are given at the peer, never here (spec 7.6.3). */
export function needOf(peer: string, question: PeerQuestion, key: string, note = ''): InputNeed {
  const { kind, words } = question
  const asked = words === '' ? 'needs something more and did not say what.' : `asks: ${words}`
  const how =
    kind === 'auth' ? ' Answer "done" once that is settled there, or with words for the peer; never with a secret.' : ''
  return { key, kind, prompt: `${note}${peer} ${asked}${how}`, resume: { question: question.id, kind }, via: { peer } }
}

/** Undefined when it was settled elsewhere and there is nothing to send. */
export function answerParts({ resume, answer }: NeedAnswer): readonly OutPart[] | undefined {
  if (isJsonObject(resume) && resume.kind === 'auth' && isDone(answer)) return undefined
  return typeof answer === 'string' ? [{ text: answer }] : [{ data: answer }]
}

const isDone = (answer: Json): boolean =>
  answer === true ||
  (typeof answer === 'string' && answer.trim().toLowerCase() === 'done') ||
  (isJsonObject(answer) && (answer.done === true || answer.kind === 'approve'))

const MOST_WORDS = 8_000

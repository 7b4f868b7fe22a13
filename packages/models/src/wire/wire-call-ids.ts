import { createHash } from 'node:crypto'
import type { Author, CallId, Message } from '@tenon/kernel'

/** What a provider allows as the id of a call, and how an id of ours becomes one. */
export type CallIdRule = {
  /** `attempt` is above 0 where the id before it was taken. The same arguments give the same id, for ever. */
  make(callId: string, attempt: number): string
}

const suffix = (attempt: number): string => (attempt === 0 ? '' : `_${attempt}`)

/** Letters, digits, `_` and `-`, at most 64. */
export const COMMON_CALL_IDS: CallIdRule = Object.freeze({
  make(callId: string, attempt: number): string {
    const plain = callId.replace(/[^a-zA-Z0-9_-]/g, '_')
    return plain.length <= 50 ? `call_${plain}${suffix(attempt)}` : `call_${digest(callId, attempt).slice(0, 40)}`
  },
})

/** Mistral takes nine letters and digits, and nothing else. */
export const NINE_CALL_IDS: CallIdRule = Object.freeze({
  make: (callId: string, attempt: number): string =>
    BigInt(`0x${digest(callId, attempt).slice(0, 16)}`)
      .toString(36)
      .padStart(9, '0')
      .slice(-9),
})

function digest(callId: string, attempt: number): string {
  return createHash('sha256')
    .update(`${callId}${suffix(attempt)}`)
    .digest('hex')
}

/**
 * The ids under which the calls of a history stand on the wire. A call keeps its provider's id where the same provider
 * reads it in the same dialect and no earlier call has it; every other gets one made of ours. Only what stands before a
 * call decides its id, so a history that grows keeps its prefix.
 */
export function wireCallIds(messages: readonly Message[], self: Author, rule: CallIdRule): (callId: CallId) => string {
  const idOf = new Map<CallId, string>()
  const taken = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.blocks) {
      if (block.kind !== 'tool-call' || idOf.has(block.callId)) continue
      const own = block.author?.provider === self.provider && block.author.dialect === self.dialect
      let id = own ? (block.alias ?? '') : ''
      for (let attempt = 0; id === '' || taken.has(id); attempt++) id = rule.make(block.callId, attempt)
      idOf.set(block.callId, id)
      taken.add(id)
    }
  }
  return (callId) => idOf.get(callId) ?? rule.make(callId, 0)
}

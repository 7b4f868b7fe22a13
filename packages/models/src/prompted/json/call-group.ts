import type { ArgumentProblem, Finish } from '@tenon/kernel'
import { argumentProblem } from '@tenon/kernel'
import type { OfferedTools } from '../offered-tools.js'
import type { ReadCall, TurnDiagnostic } from '../read-turn.js'

/**
 * What a reader of this dialect is given. `budget` bounds the characters that may be read in vain; `absent` remembers
 * from where on a word does not come any more, so that it is looked for once.
 */
export type JsonContext = {
  readonly text: string
  readonly to: number
  readonly tools: OfferedTools
  readonly finish: Finish
  readonly budget: { left: number }
  readonly absent: Map<string, number>
}

/** Calls that stand in a row, or the answer in an object. */
export type CallGroup = {
  readonly start: number
  readonly end: number
  readonly calls: readonly ReadCall[]
  readonly answer: string | null
  readonly diagnostics: readonly TurnDiagnostic[]
  /** Repairs of what holds the calls together. */
  readonly trailingComma: boolean
}

/** Text that was read and is no call: go on behind it. */
export type NoCalls = { readonly skipTo: number }

export const isGroup = (read: CallGroup | NoCalls | null): read is CallGroup => read !== null && 'calls' in read

export const isCut = (finish: Finish): boolean => finish === 'length' || finish === 'truncated'

export const brokenCall = (name: string, problem: ArgumentProblem, written: string): ReadCall => ({
  kind: 'broken',
  name,
  problem,
  written,
})

export const malformedCall = (position: number): ArgumentProblem =>
  argumentProblem(
    'malformed-call',
    position,
    'The call has no form that can be read. Write {"name": "NAME", "arguments": {…}}',
  )

export function skipBlanks(text: string, from: number, to: number): number {
  let at = from
  while (at < to && /\s/.test(text[at] ?? '')) at++
  return at
}

/** Where a word comes next, or -1. */
export function nextWord({ text, to, absent }: JsonContext, word: string, from: number): number {
  if (from >= (absent.get(word) ?? Number.POSITIVE_INFINITY)) return -1
  const at = text.indexOf(word, from)
  if (at >= 0 && at < to) return at
  absent.set(word, from)
  return -1
}

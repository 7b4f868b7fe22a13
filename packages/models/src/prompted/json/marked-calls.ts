import type { ReadCall } from '../read-turn.js'

/** Calls that were read out of one marker, and where it ends. */
export type MarkedCalls = {
  readonly calls: readonly ReadCall[]
  readonly end: number
  /** The end tag lacks at the end of the output, and what it holds is whole all the same. */
  readonly unclosed: boolean
}

export const isWhole = (call: ReadCall): boolean => call.kind === 'call'

import type { PartKind } from './part-kind.js'

/** Which part of a model's window each kind of part may take, at most. They overlap: not every part is ever full. */
export type Shares = Readonly<Partial<Record<PartKind, number>>>

export const SHARES = {
  'system-prompt': 0.2,
  instructions: 0.2,
  'tool-definitions': 0.3,
  examples: 0.15,
  memory: 0.1,
  knowledge: 0.3,
  prompt: 0.8,
  history: 0.8,
  scratchpad: 0.5,
  'tool-outputs': 0.7,
  'sub-agent-outputs': 0.4,
  artifacts: 0.2,
  reminder: 0.05,
} as const satisfies Record<PartKind, number>

/** Tokens that parts of this kind may take in a window of this size. */
export function shareOf(kind: PartKind, window: number, shares: Shares = SHARES): number {
  return Math.floor(window * (shares[kind] ?? SHARES[kind]))
}

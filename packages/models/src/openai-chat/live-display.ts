import type { ModelBlock, ModelEvent } from '@tenon/kernel'
import { whole } from '../wire/ordered-blocks.js'
import type { ChatPiece } from './chat-pieces.js'

/** Shows the pieces of a chat answer while they arrive, each under a number of its own in the order of beginning. */
export class LiveDisplay {
  readonly #out: ModelEvent[]
  /** Halves of surrogate pairs that wait for their other half. */
  readonly #held = new Map<number, string>()
  #next = 0

  constructor(out: ModelEvent[]) {
    this.#out = out
  }

  began(piece: ChatPiece, block: ModelBlock['kind'], name = ''): void {
    piece.live = this.open(block, name)
  }

  /** A block that no piece stands for yet. */
  open(block: ModelBlock['kind'], name = ''): number {
    const index = this.#next++
    this.#out.push({ kind: 'block-began', index, block, ...(name === '' ? {} : { name }) })
    return index
  }

  show(piece: ChatPiece, block: 'text' | 'reasoning', text: string): void {
    if (piece.live === undefined) this.began(piece, block)
    this.grow(piece.live, text)
  }

  grow(index: number | undefined, text: string): void {
    if (index === undefined) return
    const ready = whole((this.#held.get(index) ?? '') + text, false)
    this.#held.set(index, ready.rest)
    if (ready.text !== '') this.#out.push({ kind: 'delta', index, text: ready.text })
  }
}

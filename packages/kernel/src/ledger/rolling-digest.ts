import type { Block } from '../content/block.js'
import type { Message } from '../content/message.js'

/**
 * A digest that grows with what is appended, at the cost of what is appended: FNV-1a over UTF-16 units, in 32 bits.
 * It tells the views of a run apart; it protects nothing.
 */
export class RollingDigest {
  #hash = 0x811c9dc5 | 0

  add(text: string): void {
    let hash = this.#hash
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    this.#hash = hash
  }

  /** What a reader would see of a message: who speaks, texts, calls with their arguments, results. */
  addMessage(message: Message): void {
    this.add(message.role)
    for (const block of message.blocks) this.#addBlock(block)
  }

  #addBlock(block: Block): void {
    this.add(block.kind)
    switch (block.kind) {
      case 'text':
        this.add(block.text)
        return
      case 'reasoning':
        this.add(block.text)
        if (block.raw !== undefined) this.add(JSON.stringify(block.raw))
        return
      case 'tool-call':
        this.add(block.callId)
        this.add(block.name)
        this.add(block.argsText ?? JSON.stringify(block.args))
        return
      case 'tool-result':
        this.add(block.callId)
        for (const part of block.content) this.#addBlock(part)
        return
      default:
        this.add(JSON.stringify(block))
    }
  }

  get value(): number {
    return this.#hash
  }
}

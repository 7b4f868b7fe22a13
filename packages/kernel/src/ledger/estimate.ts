import type { Block } from '../content/block.js'
import type { Message } from '../content/message.js'

/**
 * Tokens of a text, estimated: four ASCII characters or one and a quarter others make a token. Providers' counts
 * replace it as soon as a turn has one; it only has to be near and cheap.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 128) ascii++
  return Math.ceil(ascii / 4 + (text.length - ascii) * 0.8)
}

/** What providers charge for one picture of usual size. */
const MEDIA_TOKENS = 1100
/** Role, separators and ids around a message or a block. */
const FRAME_TOKENS = 4

export function blockTokens(block: Block): number {
  switch (block.kind) {
    case 'text':
    case 'reasoning':
      return estimateTokens(block.text)
    case 'tool-call':
      return FRAME_TOKENS + estimateTokens(block.name) + estimateTokens(block.argsText ?? JSON.stringify(block.args))
    case 'tool-result': {
      let sum = FRAME_TOKENS
      for (const part of block.content) sum += blockTokens(part)
      return sum
    }
    case 'image':
    case 'audio':
    case 'file':
      return MEDIA_TOKENS
    case 'artifact':
      return 2 * FRAME_TOKENS + estimateTokens(block.name)
    case 'opaque':
      return estimateTokens(JSON.stringify(block.raw))
  }
}

export function messageTokens(message: Message): number {
  let sum = FRAME_TOKENS
  for (const block of message.blocks) sum += blockTokens(block)
  return sum
}

import { type ContentBlock, isJsonObject, type TextBlock, text } from '@tenon/kernel'
import { A2A_AUTHOR } from './part-blocks.js'

const MEMORY = 'memory'

/** What earlier runs of a conversation said, as the model reads it beside a goal: it is no part of what the user said. */
export const memoryBlock = (memory: string): TextBlock => ({
  ...text(memory),
  author: A2A_AUTHOR,
  raw: { [MEMORY]: true },
})

export const isMemory = (block: ContentBlock): boolean =>
  block.kind === 'text' && isJsonObject(block.raw) && block.raw[MEMORY] === true

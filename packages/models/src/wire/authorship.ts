import type { Author, ModelBlock, TurnBlock } from '@tenon/kernel'

/**
 * Whether a block's raw form may go to this model: only where this very model, reached in this dialect, wrote it. A
 * signature or an id means nothing to another model, and often less than nothing to its provider.
 */
export function wroteIt(block: TurnBlock | ModelBlock, self: Author): boolean {
  const { author } = block
  return (
    author !== undefined &&
    author.provider === self.provider &&
    author.model === self.model &&
    author.dialect === self.dialect
  )
}

/**
 * What another model's turn leaves for this one: thoughts and parts that only their provider understands are dropped
 * whole, and so is what was said to people alone; text and calls stay.
 */
export function staysFor(block: TurnBlock, self: Author): boolean {
  if (block.kind === 'text') return block.raw !== null && (block.text !== '' || wroteIt(block, self))
  if (block.kind === 'reasoning' || block.kind === 'opaque') return wroteIt(block, self)
  return true
}

import type { ToolCallBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

const known = new WeakMap<ToolCallBlock, string>()

/** The arguments as text: as the model wrote them where that is an object's text, else the object's own; never broken. */
export function argumentsText(block: ToolCallBlock): string {
  let text = known.get(block)
  if (text === undefined) {
    text = block.argsText !== undefined && isObjectText(block.argsText) ? block.argsText : JSON.stringify(block.args)
    known.set(block, text)
  }
  return text
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

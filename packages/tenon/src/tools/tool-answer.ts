import { type ContentBlock, type HandResult, isJsonObject, type Json, KernelError, text } from '@tenon/kernel'

/** What a tool of one's own may answer: text, data, blocks, or the hand's full result. Nothing at all is a quiet "done". */
export type ToolAnswer = string | Json | readonly ContentBlock[] | HandResult | undefined

const BLOCKS: readonly unknown[] = ['text', 'image', 'audio', 'file', 'artifact'] satisfies ContentBlock['kind'][]

/** @throws KernelError `tool-failed` when the answer cannot be written as JSON */
export function toHandResult(tool: string, answer: unknown): HandResult {
  if (answer === undefined) return result([text('Done.')])
  if (typeof answer === 'string') return result([text(answer)])
  if (isHandResult(answer)) return answer
  if (isBlocks(answer)) return result(answer)
  const written = write(tool, answer)
  return Object.freeze({ kind: 'result', content: [text(written)], value: JSON.parse(written) as Json })
}

const result = (content: readonly ContentBlock[]): HandResult => Object.freeze({ kind: 'result', content })

const isHandResult = (value: unknown): value is HandResult =>
  isJsonObject(value) && value.kind === 'result' && Array.isArray(value.content)

const isBlocks = (value: unknown): value is readonly ContentBlock[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item) && BLOCKS.includes(item.kind))

function write(tool: string, answer: unknown): string {
  try {
    const written = JSON.stringify(answer)
    if (written !== undefined) return written
  } catch (cause) {
    throw notJson(tool, cause)
  }
  throw notJson(tool)
}

const notJson = (tool: string, cause?: unknown): KernelError =>
  new KernelError(
    'tool-failed',
    `The tool ${tool} answered with something that cannot be written as JSON. Return text, plain data or blocks.`,
    cause === undefined ? {} : { cause },
  )

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
  return { kind: 'result', content: [text(written)], value: flatCopy(answer) ?? (JSON.parse(written) as Json) }
}

/** What JSON makes of an object that holds nothing but texts, numbers, booleans and nulls, without reading it back. */
function flatCopy(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[key]
    if (key === '__proto__' || !isPlain(member)) return undefined
    // JSON has no negative zero.
    copy[key] = member === 0 ? 0 : member
  }
  return copy
}

const isPlain = (value: unknown): value is string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)

const result = (content: readonly ContentBlock[]): HandResult => ({ kind: 'result', content })

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

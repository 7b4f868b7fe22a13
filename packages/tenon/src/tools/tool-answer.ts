import {
  type ContentBlock,
  type HandEvent,
  type HandResult,
  isJsonObject,
  type Json,
  KernelError,
  text,
} from '@tenon/kernel'

/** What a tool of one's own may answer: text, data, blocks, or the hand's full result. Nothing at all is a quiet "done". */
export type ToolAnswer = string | Json | readonly ContentBlock[] | HandResult | undefined

const MEDIA: readonly unknown[] = ['image', 'audio', 'file'] satisfies ContentBlock['kind'][]
const EVENTS: readonly unknown[] = [
  'handle',
  'needs-input',
  'grant',
  'input-withdrawn',
  'spent',
  'progress',
] satisfies HandEvent['kind'][]

/** @throws KernelError `tool-failed` when the answer cannot be written as JSON */
export function toHandResult(tool: string, answer: unknown): HandResult {
  if (answer === undefined) return result([text('Done.')])
  if (typeof answer === 'string') return result([text(answer)])
  if (isHandResult(answer)) return checked(tool, answer)
  if (isBlocks(answer)) return result(answer)
  const written = write(tool, answer)
  return { kind: 'result', content: [text(written)], value: flatCopy(answer) ?? (JSON.parse(written) as Json) }
}

/** @throws KernelError `tool-failed` for what the engine could not follow or the journal could not hold */
export function toHandEvent(tool: string, event: unknown): HandEvent {
  if (isHandResult(event)) return checked(tool, event)
  if (
    !isJsonObject(event) ||
    !EVENTS.includes(event.kind) ||
    (event.kind === 'needs-input' && !Array.isArray(event.needs))
  )
    throw new KernelError(
      'tool-failed',
      `The tool ${tool} yielded something that is no hand event. Yield { kind: "progress", message } or another of HandEvent, and return the answer.`,
    )
  if (event.kind !== 'progress') write(tool, event)
  return event as HandEvent
}

function checked(tool: string, answer: HandResult): HandResult {
  if (!answer.content.every(isBlock))
    throw new KernelError(
      'tool-failed',
      `The tool ${tool} answered with content that is no block. A block of text is { kind: "text", text }.`,
    )
  if (answer.value !== undefined) write(tool, answer.value)
  return answer
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
  Array.isArray(value) && value.length > 0 && value.every(isBlock)

export function isBlock(value: unknown): value is ContentBlock {
  if (!isJsonObject(value)) return false
  if (value.kind === 'text') return typeof value.text === 'string'
  if (value.kind === 'artifact') return typeof value.artifactId === 'string'
  return MEDIA.includes(value.kind) && typeof value.mediaType === 'string' && isSource(value.source)
}

function isSource(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const place = { data: value.base64, url: value.url, artifact: value.artifactId }[String(value.kind)]
  return typeof place === 'string'
}

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

import type { ArtifactBlock, ContentBlock, TextBlock } from '../content/block.js'
import { text } from '../content/block.js'
import type { RunId } from '../content/ids.js'
import type { Json, JsonObject } from '../content/json.js'
import type { ErrorRecord } from '../errors/error-table.js'
import type { ArtifactMeta, Artifacts } from '../ports/artifacts.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { HandResult } from '../ports/tool.js'
import type { Redact } from './redact.js'
import { KEEP } from './redact.js'

/** What of an output goes into the view and the journal. */
export type OutputBounds = {
  /** Characters of text over which an output becomes an artifact. */
  readonly text: number
  /** Characters kept of its head and of its tail. */
  readonly head: number
  readonly tail: number
  /** Characters of JSON over which a value is kept as an artifact. */
  readonly value: number
}

export const OUTPUT_BOUNDS: OutputBounds = { text: 32_000, head: 6_000, tail: 2_000, value: 64_000 }

/**
 * The bounds where a model has a window of so many tokens: one output takes a quarter of it at most, and a token is
 * some four characters, so an output may have as many characters as the window has tokens.
 */
export function boundsWithin(window: number, bounds: OutputBounds): OutputBounds {
  if (!(window > 0 && window < bounds.text)) return bounds
  const scale = window / bounds.text
  return {
    ...bounds,
    text: Math.floor(window),
    head: Math.floor(bounds.head * scale),
    tail: Math.floor(bounds.tail * scale),
  }
}

export type Landed = {
  readonly content: readonly ContentBlock[]
  readonly value?: Json
  readonly valueArtifact?: string
}

/**
 * The one place where an output is bounded, whatever hand it came from and however it ended: known secrets go, and
 * past the bounds it is kept as an artifact with head, tail and handle in its place.
 */
export function land(
  result: Pick<HandResult, 'content' | 'value'>,
  where: { readonly runId: RunId; readonly name: string },
  artifacts: Artifacts,
  redact: Redact,
  bounds: OutputBounds = OUTPUT_BOUNDS,
): MaybePromise<Landed> {
  const content = redact === KEEP ? result.content : result.content.map((block) => cleanBlock(block, redact))
  let length = 0
  for (const block of content) length += sizeOf(block)
  const value = result.value === undefined || redact === KEEP ? result.value : cleanValue(result.value, redact)
  const valueIsLarge = jsonSize(value, bounds.value) > bounds.value
  if (length <= bounds.text && !valueIsLarge) return value === undefined ? { content } : { content, value }
  return afterAll(
    [
      length > bounds.text ? boundContent(content, where, artifacts, bounds) : content,
      valueIsLarge ? keep(artifacts, JSON.stringify(value), 'application/json', where) : undefined,
    ],
    (bounded, kept) => ({
      content: bounded as readonly ContentBlock[],
      ...(kept ? { valueArtifact: (kept as ArtifactMeta).artifactId } : value === undefined ? {} : { value }),
    }),
  )
}

function boundContent(
  content: readonly ContentBlock[],
  where: { readonly runId: RunId; readonly name: string },
  artifacts: Artifacts,
  bounds: OutputBounds,
): MaybePromise<readonly ContentBlock[]> {
  const texts = content.filter((block): block is TextBlock => block.kind === 'text')
  const whole = texts.map((block) => block.text).join('\n')
  const others = content.filter((block) => block.kind !== 'text').map((block) => keepMedia(block, artifacts, where))
  const shown: MaybePromise<readonly ContentBlock[]> =
    whole.length <= bounds.text
      ? texts
      : then(keep(artifacts, whole, 'text/plain', where), (meta) => [
          text(headAndTail(whole, meta, bounds)),
          artifactBlock(meta),
        ])
  return afterAll([shown, ...others], (first, ...rest) => [
    ...(first as readonly ContentBlock[]),
    ...(rest as readonly ContentBlock[]),
  ])
}

/** Cut between characters, never inside one. */
function headAndTail(whole: string, meta: ArtifactMeta, bounds: OutputBounds): string {
  const head = wholeCharacters(whole.slice(0, bounds.head))
  const tail = wholeCharacters(whole.slice(-bounds.tail))
  const gap = `[… ${whole.length - head.length - tail.length} characters left out of ${whole.length}. read_artifact with ${meta.artifactId} pages through the whole output.]`
  return `${head}\n${gap}\n${tail}`
}

const wholeCharacters = (piece: string): string => piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

function keepMedia(
  block: ContentBlock,
  artifacts: Artifacts,
  where: { readonly runId: RunId; readonly name: string },
): MaybePromise<ContentBlock> {
  if (block.kind === 'artifact' || block.kind === 'text' || block.source.kind !== 'data') return block
  const bytes = bytesOf(block.source.base64)
  const stored = artifacts.put(bytes, {
    name: block.name ?? `${where.name} ${block.kind}`,
    mediaType: block.mediaType,
    runId: where.runId,
  })
  return then(stored, (meta) => ({ ...block, source: { kind: 'artifact', artifactId: meta.artifactId } }))
}

const keep = (
  artifacts: Artifacts,
  whole: string,
  mediaType: string,
  where: { readonly runId: RunId; readonly name: string },
): MaybePromise<ArtifactMeta> =>
  artifacts.put(new TextEncoder().encode(whole), { name: `${where.name} output`, mediaType, runId: where.runId })

const artifactBlock = ({ artifactId, name, mediaType, bytes }: ArtifactMeta): ArtifactBlock => ({
  kind: 'artifact',
  artifactId,
  name,
  mediaType,
  bytes,
})

function sizeOf(block: ContentBlock): number {
  if (block.kind === 'text') return block.text.length
  return block.kind !== 'artifact' && block.source.kind === 'data' ? block.source.base64.length : 0
}

/** Characters of a value as JSON, near enough; counting stops past `enough`. */
function jsonSize(value: Json | undefined, enough: number): number {
  if (value === undefined) return 0
  if (typeof value === 'string') return value.length
  if (typeof value === 'number') return 8
  if (typeof value !== 'object' || value === null) return 4
  let size = 2
  if (Array.isArray(value))
    for (const item of value) {
      size += jsonSize(item as Json, enough) + 1
      if (size > enough) return size
    }
  else
    for (const key in value) {
      size += key.length + jsonSize((value as JsonObject)[key], enough) + 4
      if (size > enough) return size
    }
  return size
}

function cleanBlock(block: ContentBlock, redact: Redact): ContentBlock {
  if (block.kind !== 'text') return block
  const clean = redact(block.text)
  return clean === block.text ? block : { ...block, text: clean }
}

/** An error as it may stand in the journal: message and detail go the way of every other output. */
export function cleanError(error: ErrorRecord, redact: Redact): ErrorRecord {
  if (redact === KEEP) return error
  const { message, detail } = error
  return { ...error, message: redact(message), ...(detail === undefined ? {} : { detail: cleanValue(detail, redact) }) }
}

function cleanValue(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  const written = JSON.stringify(value)
  const clean = redact(written)
  if (clean === written) return value
  try {
    return JSON.parse(clean) as Json
  } catch {
    return clean
  }
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function then<T, U>(value: MaybePromise<T>, next: (value: T) => U): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

function afterAll<U>(values: readonly MaybePromise<unknown>[], next: (...values: unknown[]) => U): MaybePromise<U> {
  return values.some((value) => isPromise(value)) ? Promise.all(values).then((all) => next(...all)) : next(...values)
}

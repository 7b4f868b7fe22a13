import type { Json, JsonObject, RunId } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { bodyHandle } from './body-handle.js'

/** Bytes of JSON past which a value is replaced. */
const MOST_BYTES = 4_096
/** Smaller members of a larger object stay, so that it can still be told what it is. */
const WORTH_CUTTING = 256
const PREVIEW_CHARACTERS = 500

/** What stands in the place of a value that is too large for a page: where to get it, and how it begins. */
type CutBody = {
  readonly cut: {
    /** For `GET /artifacts/{handle}`. */
    readonly handle: string
    /** Of the whole value. */
    readonly bytes: number
    readonly mediaType: 'text/plain; charset=utf-8' | 'application/json'
    readonly preview: string
  }
}

/** Where a value stands: an event of a run by its seq, or the view of a turn by its id. */
export type BodyPlace = { readonly runId: RunId; readonly of: number | string }

/**
 * The same with every body over 4 KB replaced by a handle: the innermost values that are too large, and of objects
 * that are too large the largest members first. `value` itself is never replaced.
 *
 * @param pointer where `value` stands in what `place` names
 */
export function cutBodies(value: JsonObject, place: BodyPlace, pointer = ''): JsonObject {
  if (sizeOf(value) <= MOST_BYTES) return value
  return shrunkObject(value, place, pointer)
}

function shrunk(value: Json, place: BodyPlace, pointer: string): Json {
  const bytes = sizeOf(value)
  if (bytes <= MOST_BYTES) return value
  if (isJsonObject(value)) return shrunkObject(value, place, pointer)
  if (!Array.isArray(value)) return cutOf(value, place, pointer)
  const items = (value as readonly Json[]).map((item, index) => shrunk(item, place, `${pointer}/${index}`))
  return sizeOf(items) <= MOST_BYTES ? items : cutOf(value, place, pointer)
}

function shrunkObject(value: JsonObject, place: BodyPlace, pointer: string): JsonObject {
  const at = (key: string): string => `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const members = new Map(Object.entries(value).map(([key, item]) => [key, shrunk(item, place, at(key))]))
  const sizes = [...members].map(([key, item]) => ({ key, bytes: sizeOf(item) })).sort((a, b) => b.bytes - a.bytes)
  let total = sizes.reduce((sum, { key, bytes }) => sum + key.length + bytes, 0)
  for (const { key, bytes } of sizes) {
    const whole = value[key]
    if (total <= MOST_BYTES || bytes < WORTH_CUTTING || whole === undefined) break
    const cut = cutOf(whole, place, at(key))
    members.set(key, cut)
    total += sizeOf(cut) - bytes
  }
  return Object.fromEntries(members)
}

function cutOf(value: Json, { runId, of }: BodyPlace, pointer: string): JsonObject {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  const cut: CutBody['cut'] = {
    handle: bodyHandle(runId, of, pointer),
    bytes: Buffer.byteLength(text),
    mediaType: isText ? 'text/plain; charset=utf-8' : 'application/json',
    // Not within a surrogate pair.
    preview: text.slice(0, PREVIEW_CHARACTERS).replace(/[\ud800-\udbff]$/, ''),
  }
  return { cut }
}

const sizeOf = (value: Json): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)))

import type { Json, JsonObject, ReasoningBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** One entry of `reasoning_details`, put together from the pieces of its index and type. */
export type DetailDraft = { readonly key: string; entry: JsonObject }

/** Fields whose pieces are joined. Of every other field the first value that is not null stays. */
const JOINED = new Set(['text', 'summary', 'data', 'signature'])

export function detailKey(piece: JsonObject): string {
  return `${String(piece.index ?? '')} ${String(piece.type)}`
}

export function addDetail(entry: JsonObject, piece: JsonObject): JsonObject {
  const sum: Record<string, Json> = { ...entry }
  for (const [field, value] of Object.entries(piece)) {
    const before = sum[field]
    if (JOINED.has(field) && typeof before === 'string' && typeof value === 'string') sum[field] = before + value
    else if (before === undefined || before === null) sum[field] = value
  }
  return sum
}

export function detailText(entry: JsonObject): string {
  return typeof entry.text === 'string' ? entry.text : typeof entry.summary === 'string' ? entry.summary : ''
}

export function detailSeal(entry: JsonObject): ReasoningBlock['seal'] {
  if (entry.type === 'reasoning.encrypted' || filled(entry.data)) return 'encrypted'
  return filled(entry.signature) ? 'signature' : 'none'
}

export function detailsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: Json): item is JsonObject => isJsonObject(item)) : []
}

const filled = (value: Json | undefined): boolean => typeof value === 'string' && value !== ''

import type { Json } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

const LONE = /\p{Surrogate}/gu

/** Halves of surrogate pairs that stand alone become U+FFFD: no encoder on the way could carry them. */
export function wellFormed(text: string): string {
  return text.replace(LONE, '\ufffd')
}

/** The same for every text in a value, keys included. Returns the value itself where nothing had to change. */
export function wellFormedJson<Value extends Json>(value: Value): Value {
  return isWellFormed(value) ? value : (mend(value) as Value)
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.search(LONE) < 0
  if (Array.isArray(value)) return value.every(isWellFormed)
  if (isJsonObject(value))
    return Object.entries(value).every(([key, item]) => key.search(LONE) < 0 && isWellFormed(item))
  return true
}

function mend(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map((item) => mend(item as Json))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), mend(item)]))
  return value
}

import type { Json } from '../content/json.js'

/** Counts the members of all objects; gives up on what is nested so deeply that the slow path has to look at it. */
function memberCount(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > 256) return Number.NaN
  if (Array.isArray(value)) {
    let count = 0
    for (const item of value) count += memberCount(item, depth + 1)
    return count
  }
  const keys = Object.keys(value)
  let count = keys.length
  for (const key of keys) count += memberCount((value as { readonly [key: string]: Json })[key] ?? null, depth + 1)
  return count
}

/** Colons outside of strings, or -1 where a number is so long that it may have been rounded. */
function colonCount(text: string): number {
  let colons = 0
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      do at = text.indexOf('"', at + 1)
      while (escaped(text, at))
      digits = 0
    } else if (code >= 48 && code <= 57) {
      if (++digits > 15) return -1
    } else if (code === 101 || code === 69) {
      if (digits > 0) return -1
    } else {
      digits = 0
      if (code === 58) colons++
    }
  }
  return colons
}

function escaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === 92) backslashes++
  return backslashes % 2 === 1
}

/**
 * What `JSON.parse` gives, where it surely loses nothing: no key stands twice and no number may round. Otherwise
 * undefined, and the reader that knows places has to look.
 */
export function losslessParse(text: string): Json | undefined {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  return memberCount(value, 0) === colonCount(text) ? value : undefined
}

/** Compares as the bytes of UTF-8 do, so that an order never depends on a locale or on where surrogates sort. */
export function byteOrder(a: string, b: string): number {
  if (a === b) return 0
  return ASTRAL.test(a) || ASTRAL.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : a < b ? -1 : 1
}

const ASTRAL = /[\uD800-\uFFFF]/

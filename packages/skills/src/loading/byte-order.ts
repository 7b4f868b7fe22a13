/** Compares as the bytes of UTF-8 do, so that an order never depends on a locale or on where surrogates sort. */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return (left < SURROGATES ? left : raised(left)) - (right < SURROGATES ? right : raised(right))
  }
  return a.length - b.length
}

const SURROGATES = 0xd800
const AFTER_SURROGATES = 0xe000

/** Surrogates stand for what sorts behind all of the basic plane. */
const raised = (unit: number): number => (unit < AFTER_SURROGATES ? unit + 0x10000 : unit)

import type { JsonFault } from '@tenon/kernel'

/**
 * Where a broken value ends, or -1 where that cannot be told. It can only where the fault left no doubt about what is
 * text and what is not: behind a quote that ended a text too early, everything may be either.
 */
export function skipBroken(text: string, fault: JsonFault, to: number): number {
  if (fault.reason !== 'token') return -1
  let before = fault.position - 1
  while (/\s/.test(text[before] ?? '')) before--
  if (/["'“”]/.test(text[before] ?? '') || /["'“”]/.test(text[fault.position] ?? '')) return -1
  let depth = fault.open.length
  for (let at = fault.position; at < to; at++) {
    const char = text[at]
    if (char === '"') {
      at = endOfText(text, at, to)
      if (at < 0) return -1
    } else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth <= 0) return at + 1
  }
  return -1
}

function endOfText(text: string, quote: number, to: number): number {
  for (let at = quote + 1; at < to; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}

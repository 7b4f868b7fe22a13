import type { Json } from '@tenon/kernel'

/** JSON as editors keep it: with comments and trailing commas. @throws SyntaxError */
export function parseJsonWithComments(text: string): Json {
  let out = ''
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === '"') {
      const end = endOfString(text, at)
      out += text.slice(at, end)
      at = end
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      at = end < 0 ? text.length : end + 2
    } else {
      if (char === '}' || char === ']') out = out.replace(/,\s*$/, '')
      out += char
      at++
    }
  }
  return JSON.parse(out) as Json
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

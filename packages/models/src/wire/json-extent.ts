/**
 * Where the first JSON value of a text ends. `whole`: it ends before `end` (exclusive). `open`: the text ends inside
 * it. `broken`: at `end` stands something that JSON does not allow.
 */
export type JsonExtent = { readonly kind: 'whole' | 'open' | 'broken'; readonly end: number }

const SPACE = /[\t\n\r ]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NUMBER_HEAD = /-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?$/y
/** One pass, no recursion: nesting costs a stack entry each. */
export function jsonExtent(text: string): JsonExtent {
  const closers: ('}' | ']')[] = []
  let at = match(SPACE, text, 0)
  let expect: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' = 'value'
  for (;;) {
    if (at >= text.length) return { kind: 'open', end: at }
    const char = text[at]
    if (expect === 'comma-or-end' || (expect.endsWith('-or-end') && char === closers.at(-1))) {
      if (char === closers.at(-1)) {
        closers.pop()
        at++
        if (closers.length === 0) return { kind: 'whole', end: at }
        expect = 'comma-or-end'
      } else if (char === ',') {
        at++
        expect = closers.at(-1) === '}' ? 'key' : 'value'
      } else return { kind: 'broken', end: at }
    } else if (expect === 'colon') {
      if (char !== ':') return { kind: 'broken', end: at }
      at++
      expect = 'value'
    } else {
      const isKey: boolean = expect === 'key' || expect === 'key-or-end'
      if (!isKey && (char === '{' || char === '[')) {
        closers.push(char === '{' ? '}' : ']')
        expect = char === '{' ? 'key-or-end' : 'value-or-end'
        at++
      } else {
        const scalar = scalarExtent(text, at, isKey)
        if (scalar.kind !== 'whole') return scalar
        at = scalar.end
        if (closers.length === 0) return scalar
        expect = isKey ? 'colon' : 'comma-or-end'
      }
    }
    at = match(SPACE, text, at)
  }
}

function scalarExtent(text: string, at: number, isKey: boolean): JsonExtent {
  if (text[at] === '"') {
    return stringExtent(text, at)
  }
  if (isKey) return { kind: 'broken', end: at }
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, at)) return { kind: 'whole', end: at + word.length }
    if (word.startsWith(text.slice(at))) return { kind: 'open', end: text.length }
  }
  const end = match(NUMBER, text, at)
  if (end > at && match(NUMBER_HEAD, text, at) < text.length) return { kind: 'whole', end }
  if (end === text.length && end > at) return { kind: 'whole', end }
  return match(NUMBER_HEAD, text, at) === text.length && text.length > at
    ? { kind: 'open', end: text.length }
    : { kind: 'broken', end: at }
}

/** By hand: a pattern for strings would take a stack entry for each character. */
function stringExtent(text: string, start: number): JsonExtent {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return { kind: 'whole', end: at + 1 }
    if (unit < 0x20) return { kind: 'broken', end: at }
    if (unit !== 0x5c) continue
    const escaped = text.slice(at + 1, at + 6)
    if (/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(escaped)) at += escaped.startsWith('u') ? 5 : 1
    else if (at + 1 + escaped.length === text.length && /^(?:u[0-9a-fA-F]{0,3})?$/.test(escaped)) break
    else return { kind: 'broken', end: at }
  }
  return { kind: 'open', end: text.length }
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

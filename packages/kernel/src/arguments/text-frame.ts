import type { Repair } from './repair.js'

/** Tokens that end a model's turn in its template and stay in the text where a server does not take them off. */
export const END_TOKENS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '</s>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
] as const

const isBlank = (char: string | undefined): boolean => char !== undefined && /\s/.test(char)

/** The part of a text without blanks at both ends. An empty part stands at the end. */
export function trimmed(text: string, from: number, to: number): readonly [from: number, to: number] {
  let start = from
  let end = to
  while (end > start && isBlank(text[end - 1])) end--
  while (start < end && isBlank(text[start])) start++
  return [start, end]
}

/** Takes a byte order mark, blanks and end tokens off, and reports the ones that are no blanks. */
export function withoutFrame(
  text: string,
  repairs: Set<Repair>,
  begin = 0,
  finish = text.length,
): readonly [from: number, to: number] {
  const marked = text[begin] === '\ufeff'
  if (marked) repairs.add('byte-order-mark')
  let [from, to] = trimmed(text, marked ? begin + 1 : begin, finish)
  for (;;) {
    const token = END_TOKENS.find((end) => to - end.length >= from && text.startsWith(end, to - end.length))
    if (token === undefined) return [from, to]
    repairs.add('template-tokens')
    ;[from, to] = trimmed(text, from, to - token.length)
  }
}

/** The opening line of a fence at `at`, if there is one: JSON may begin on it. `language` is in small letters. */
export function fenceOpening(text: string, at: number): { readonly language: string; readonly from: number } | null {
  if (!text.startsWith('```', at)) return null
  const opening = /`{3,}[ \t]*([\w+#.-]*)[ \t]*(?:\r?\n|(?=[{[])|$)/y
  opening.lastIndex = at
  const found = opening.exec(text)
  return found === null ? null : { language: (found[1] ?? '').toLowerCase(), from: at + found[0].length }
}

/** True where the marks that close a fence stand: nothing but blanks follows them on their line. */
export function fenceClosesAt(text: string, at: number, to = text.length): boolean {
  if (!text.startsWith('```', at)) return false
  let behind = at + 3
  while (behind < to && (text[behind] === '`' || text[behind] === ' ' || text[behind] === '\t')) behind++
  return behind >= to || text[behind] === '\n' || text[behind] === '\r'
}

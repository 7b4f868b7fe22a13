import type { ByteSource } from './byte-source.js'

export type LineRange = {
  readonly bytes: Uint8Array
  /** Where the bytes begin in the source. */
  readonly offset: number
  /** The last line that is in it; `from - 1` when there is none. */
  readonly to: number
  /** Line `from` alone is larger than the cap and ends before its end. */
  readonly cut: boolean
  /** Lines of the whole source; undefined where it is too large to be counted. */
  readonly total: number | undefined
  /** There is more after it. */
  readonly more: boolean
}

export type LinesWanted = {
  /** Counts from 1. */
  readonly from: number
  readonly lines: number
  readonly mostBytes: number
  readonly signal: AbortSignal
}

const CHUNK = 256 * 1_024
const COUNTED = 8 * 1_024 * 1_024
const NEWLINE = 0x0a

/** Lines `from` to `from + lines - 1`, as they are, at most `mostBytes`. Holds no more than that in memory. */
export async function readLineRange(source: ByteSource, wanted: LinesWanted): Promise<LineRange> {
  const { from, lines, mostBytes, signal } = wanted
  const start = await skipLines(source, 0, from - 1, signal)
  if (start.offset >= source.size)
    return { bytes: new Uint8Array(), offset: source.size, to: from - 1, cut: false, total: start.lines, more: false }
  const window = await source.read(start.offset, mostBytes)
  const taken = wholeLines(window, lines, start.offset + window.length >= source.size)
  const cut = taken.lines === 0
  const bytes = cut ? window.subarray(0, characterEnd(window, window.length)) : window.subarray(0, taken.end)
  const to = cut ? from : from - 1 + taken.lines
  const next = start.offset + bytes.length
  const more = next < source.size
  const rest = source.size <= COUNTED ? await skipLines(source, next, Number.POSITIVE_INFINITY, signal) : undefined
  const total = more ? (rest === undefined ? undefined : to + rest.lines - (cut ? 1 : 0)) : to
  return { bytes, offset: start.offset, to, cut, total, more }
}

/** The offset after `count` line ends from `offset` on, and how many lines (the last may be without an end) that were. */
async function skipLines(
  source: ByteSource,
  offset: number,
  count: number,
  signal: AbortSignal,
): Promise<{ readonly offset: number; readonly lines: number }> {
  let lines = 0
  let position = offset
  let open = false
  while (lines < count && position < source.size) {
    signal.throwIfAborted()
    const chunk = await source.read(position, CHUNK)
    if (chunk.length === 0) break
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
      if (++lines === count) return { offset: position + at + 1, lines }
    position += chunk.length
    open = chunk[chunk.length - 1] !== NEWLINE
  }
  return { offset: position, lines: lines + (open ? 1 : 0) }
}

function wholeLines(
  window: Uint8Array,
  most: number,
  isLast: boolean,
): { readonly end: number; readonly lines: number } {
  let end = 0
  let lines = 0
  for (let at = window.indexOf(NEWLINE); at !== -1 && lines < most; at = window.indexOf(NEWLINE, at + 1)) {
    lines++
    end = at + 1
  }
  // The last line of a text need not have an end.
  return lines < most && isLast && end < window.length ? { end: window.length, lines: lines + 1 } : { end, lines }
}

/** The last place at or before `end` that does not cut a UTF-8 character in two. */
export function characterEnd(bytes: Uint8Array, end: number): number {
  let lead = end - 1
  while (lead >= 0 && lead > end - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--
  const first = bytes[lead] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return lead >= 0 && lead + length > end ? lead : end
}

import type { CallContext, JsonObject } from '@tenon/kernel'
import { HostError } from '../errors.js'
import type { ByteSource } from './byte-source.js'
import { decodeText, type TextEncoding } from './file-text.js'
import { characterEnd, readLineRange } from './read-line-range.js'

/** A part of a text: by lines, or by bytes where lines are very long. */
export type PageWanted = {
  readonly from?: number
  readonly lines?: number
  readonly offset?: number
  readonly length?: number
}

export type TextPage = {
  /** `notes.md, lines 1 to 40 of 90` */
  readonly header: string
  readonly body: string
  /** How to read on, if there is more. */
  readonly next: string | undefined
  /** The first and last line, or the first byte and the one after the last. */
  readonly range: { readonly from: number; readonly to: number } | { readonly offset: number; readonly end: number }
}

/** Below the bound past which the engine keeps an output as an artifact: what can be read on needs none. */
const MOST_BYTES = 28 * 1_024
/** What the engine's bound is where the model's window is no smaller. */
const USUAL_ROOM = 32_000
const DEFAULT_LINES = 2_000
const DEFAULT_LENGTH = 16 * 1_024
const MOST_LINES = 20_000

/** The arguments that choose a page, for a tool's JSON Schema. */
export const PAGE_PROPERTIES: JsonObject = {
  from: { type: 'integer', minimum: 1, description: 'First line; 1 if absent.' },
  lines: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_LINES,
    description: `At most so many; ${DEFAULT_LINES} if absent.`,
  },
  offset: { type: 'integer', minimum: 0, description: 'First byte, instead of from, where lines are very long.' },
  length: { type: 'integer', minimum: 1, maximum: MOST_BYTES, description: `Bytes; ${DEFAULT_LENGTH} if absent.` },
}

/** @param context of the call: a page takes no more than there is room for. @throws HostError `range-invalid` past the end, `file-not-text` */
export function textPage(
  source: ByteSource,
  name: string,
  wanted: PageWanted,
  encoding: TextEncoding,
  { signal, room = USUAL_ROOM }: Pick<CallContext, 'signal' | 'room'>,
): Promise<TextPage> {
  const most = Math.min(MOST_BYTES, Math.floor((MOST_BYTES * room) / USUAL_ROOM))
  const byBytes = wanted.offset !== undefined || wanted.length !== undefined
  return byBytes
    ? bytePage(source, name, wanted, encoding, most)
    : linePage(source, name, wanted, encoding, most, signal)
}

async function linePage(
  source: ByteSource,
  name: string,
  { from = 1, lines = DEFAULT_LINES }: PageWanted,
  encoding: TextEncoding,
  mostBytes: number,
  signal: AbortSignal,
): Promise<TextPage> {
  const range = await readLineRange(source, { from, lines, mostBytes, signal })
  const { to, total, cut } = range
  if (to < from && from > 1) throw new HostError('range-invalid', `${JSON.stringify(name)} has only ${total} lines.`)
  const end = range.offset + range.bytes.length
  return {
    header:
      to < from ? `${name} is empty` : `${name}, lines ${from} to ${to}${total === undefined ? '' : ` of ${total}`}`,
    body: decodeText(range.bytes, name, encoding, range.offset),
    next: cut
      ? `[Line ${to} goes on: read it with offset ${end}.]`
      : range.more
        ? `[It goes on: read it from line ${to + 1}.]`
        : undefined,
    range: { from, to },
  }
}

async function bytePage(
  source: ByteSource,
  name: string,
  { offset = 0, length = DEFAULT_LENGTH }: PageWanted,
  encoding: TextEncoding,
  mostBytes: number,
): Promise<TextPage> {
  if (offset > 0 && offset >= source.size)
    throw new HostError('range-invalid', `${JSON.stringify(name)} has only ${source.size} bytes.`)
  const bytes = await source.read(offset, Math.min(length, mostBytes))
  const isLast = offset + bytes.length >= source.size
  const begin = encoding === 'utf-8' ? characterBegin(bytes) : 0
  const stop = isLast || encoding !== 'utf-8' ? bytes.length : characterEnd(bytes, bytes.length)
  const end = offset + stop
  return {
    header: `${name}, bytes ${offset + begin} to ${end} of ${source.size}`,
    body: decodeText(bytes.subarray(begin, stop), name, encoding, offset + begin),
    next: end < source.size ? `[It goes on: read it with offset ${end}.]` : undefined,
    range: { offset: offset + begin, end },
  }
}

/** Bytes at the beginning that belong to a character before it. */
function characterBegin(bytes: Uint8Array): number {
  let begin = 0
  while (begin < 3 && begin < bytes.length && ((bytes[begin] ?? 0) & 0xc0) === 0x80) begin++
  return begin
}

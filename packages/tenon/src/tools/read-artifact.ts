import {
  ArtifactId,
  type Artifacts,
  type HandResult,
  type JsonObject,
  type Tool,
  type Trust,
  text,
} from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import type { ByteSource } from './byte-source.js'
import { decodeText, looksBinary } from './file-text.js'
import { characterEnd, readLineRange } from './read-line-range.js'
import { readableSize } from './readable-size.js'

const DEFAULT_LINES = 500
const MOST_LINES = 20_000
const DEFAULT_LENGTH = 16 * 1_024
const MOST_BYTES = 64 * 1_024

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    artifact: { type: 'string', description: 'The handle, such as "sha256:…".' },
    from: { type: 'integer', minimum: 1, description: 'First line; 1 if absent.' },
    lines: { type: 'integer', minimum: 1, maximum: MOST_LINES, description: `${DEFAULT_LINES} if absent.` },
    offset: { type: 'integer', minimum: 0, description: 'First byte, for text of very long lines. Not with from.' },
    length: { type: 'integer', minimum: 1, maximum: MOST_BYTES, description: `Bytes; ${DEFAULT_LENGTH} if absent.` },
  },
  required: ['artifact'],
  additionalProperties: false,
})

type Args = {
  readonly artifact: string
  readonly from?: number
  readonly lines?: number
  readonly offset?: number
  readonly length?: number
}

/**
 * Pages through an output that was too large for the view, by lines or by bytes, at most 64 KB a call.
 * @param trust of what is in artifacts: they hold what any tool said.
 */
export function readArtifactTool(artifacts: Artifacts, trust: Trust = 'untrusted'): Tool {
  return Object.freeze({
    name: 'read_artifact',
    title: 'Read an artifact',
    description: 'Reads a part of a large output that was kept as an artifact, by lines or by bytes.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust,
    timeoutMs: 60_000,
    run: (args: JsonObject, { signal }) => page(artifacts, args as Args, signal),
  } satisfies Tool)
}

async function page(artifacts: Artifacts, args: Args, signal: AbortSignal): Promise<HandResult> {
  const artifactId = ArtifactId(args.artifact)
  const meta = await artifacts.meta(artifactId)
  if (meta === undefined)
    throw new HostError(
      'artifact-missing',
      `There is no artifact ${JSON.stringify(args.artifact)}. Copy its handle exactly.`,
    )
  const source: ByteSource = {
    size: meta.bytes,
    read: (offset, length) => artifacts.read(artifactId, offset, length),
  }
  if (looksBinary(await source.read(0, 8_192)))
    throw new HostError(
      'file-not-text',
      `The artifact is not text (${meta.mediaType}, ${readableSize(meta.bytes)}) and cannot be paged through.`,
    )
  return args.offset === undefined && args.length === undefined
    ? byLines(source, meta.name, args, signal)
    : byBytes(source, meta.name, args)
}

async function byLines(source: ByteSource, name: string, args: Args, signal: AbortSignal): Promise<HandResult> {
  const { from = 1, lines = DEFAULT_LINES } = args
  const range = await readLineRange(source, { from, lines, mostBytes: MOST_BYTES, signal })
  if (range.to < from && from > 1) throw new HostError('range-invalid', `The artifact has only ${range.total} lines.`)
  const of = range.total === undefined ? '' : ` of ${range.total}`
  const next = range.cut
    ? `[Line ${range.to} goes on: read it with offset ${range.offset + range.bytes.length}.]`
    : range.more
      ? `[It goes on: read it from line ${range.to + 1}.]`
      : undefined
  return shown(`${name}, lines ${from} to ${range.to}${of}`, decodeText(range.bytes, name, 'utf-8', range.offset), next)
}

async function byBytes(source: ByteSource, name: string, args: Args): Promise<HandResult> {
  const offset = args.offset ?? 0
  if (offset > 0 && offset >= source.size)
    throw new HostError('range-invalid', `The artifact has only ${source.size} bytes.`)
  const bytes = await source.read(offset, args.length ?? DEFAULT_LENGTH)
  const begin = characterBegin(bytes)
  const end = offset + bytes.length >= source.size ? bytes.length : characterEnd(bytes, bytes.length)
  const next = offset + end < source.size ? `[It goes on: read it with offset ${offset + end}.]` : undefined
  const body = decodeText(bytes.subarray(begin, end), name, 'utf-8', offset + begin)
  return shown(`${name}, bytes ${offset + begin} to ${offset + end} of ${source.size}`, body, next)
}

/** Bytes at the beginning that belong to a character before it. */
function characterBegin(bytes: Uint8Array): number {
  let begin = 0
  while (begin < 3 && begin < bytes.length && ((bytes[begin] ?? 0) & 0xc0) === 0x80) begin++
  return begin
}

const shown = (header: string, body: string, next: string | undefined): HandResult => ({
  kind: 'result',
  content: [text(header), ...(body === '' ? [] : [text(body)]), ...(next === undefined ? [] : [text(next)])],
  value: body,
})

import { type CallContext, type HandResult, type JsonObject, type Tool, type Trust, text } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import { type ByteSource, fileSource, memorySource } from './byte-source.js'
import { fileOrigin } from './file-origin.js'
import { decodeText, looksBinary, type TextEncoding } from './file-text.js'
import { type MediaKind, mediaKindOf } from './media-kind.js'
import { readableSize } from './readable-size.js'
import { PAGE_PROPERTIES, type PageWanted, textPage } from './text-page.js'
import type { Workspace } from './workspace.js'

const MOST_MEDIA = 5 * 1_024 * 1_024
const SNIFFED = 8 * 1_024
const MOST_UTF16 = 16 * 1_024 * 1_024

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file in the workspace.' },
    ...PAGE_PROPERTIES,
    encoding: { enum: ['utf-8', 'utf-16le', 'latin1'], description: 'For text that is not UTF-8.' },
  },
  required: ['path'],
  additionalProperties: false,
})

type Args = PageWanted & { readonly path: string; readonly encoding?: TextEncoding }

/** Reads a text file by parts of at most 28 KB; shows images and PDFs up to 5 MB as they are. */
export function readFileTool(workspace: Workspace, trust: Trust): Tool {
  return Object.freeze({
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a file of the workspace: text by lines, exactly as it is; images and PDFs to look at. ' +
      'Long files come in parts, each with how to read on.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust,
    timeoutMs: 60_000,
    async run(args: JsonObject, context) {
      const wanted = args as Args
      const { handle, stats, place } = await workspace.openFile(wanted.path)
      try {
        const file = { shown: place.shown, source: fileSource(handle, Number(stats.size)) }
        const head = await file.source.read(0, SNIFFED)
        const media = mediaKindOf(head)
        if (media !== undefined && wanted.encoding === undefined) return await showMedia(file, media, trust)
        if (looksBinary(head) && wanted.encoding !== 'utf-16le') throw binary(file)
        return await showText(file, wanted, trust, context)
      } finally {
        await handle.close()
      }
    },
  } satisfies Tool)
}

type Text = { readonly shown: string; readonly source: ByteSource }

async function showMedia({ shown, source }: Text, media: MediaKind, trust: Trust): Promise<HandResult> {
  if (source.size > MOST_MEDIA)
    throw new HostError(
      'file-too-large',
      `${JSON.stringify(shown)} has ${readableSize(source.size)}; ${media.mediaType} is shown up to 5 MB.`,
    )
  const bytes = Buffer.from(await source.read(0, source.size))
  return {
    kind: 'result',
    content: [
      text(`${shown}, ${media.mediaType}, ${readableSize(bytes.length)}`),
      {
        kind: media.kind,
        mediaType: media.mediaType,
        source: { kind: 'data', base64: bytes.toString('base64') },
        name: shown,
      },
    ],
    value: { path: shown, mediaType: media.mediaType, bytes: bytes.length },
    provenance: fileOrigin(shown, trust),
  }
}

async function showText(
  { shown, source }: Text,
  wanted: Args,
  trust: Trust,
  context: CallContext,
): Promise<HandResult> {
  const { encoding = 'utf-8' } = wanted
  const plain = encoding === 'utf-16le' ? await fromUtf16(shown, source) : source
  const page = await textPage(plain, shown, wanted, encoding === 'latin1' ? 'latin1' : 'utf-8', context)
  const { header, body, next, range } = page
  return {
    kind: 'result',
    content: [text(header), ...(body === '' ? [] : [text(body)]), ...(next === undefined ? [] : [text(next)])],
    value: { path: shown, ...range, text: body, more: next !== undefined },
    provenance: fileOrigin(shown, trust),
  }
}

async function fromUtf16(shown: string, source: ByteSource): Promise<ByteSource> {
  if (source.size > MOST_UTF16)
    throw new HostError('file-too-large', `${JSON.stringify(shown)} is too large to be read as UTF-16 (16 MB at most).`)
  const whole = decodeText(await source.read(0, source.size), shown, 'utf-16le')
  return memorySource(Buffer.from(whole.replace(/^\uFEFF/, '')))
}

const binary = ({ shown, source }: Text): HostError =>
  new HostError(
    'file-not-text',
    `${JSON.stringify(shown)} is not text (${readableSize(source.size)} of binary data). ` +
      'If it is UTF-16 text, read it with encoding "utf-16le".',
  )

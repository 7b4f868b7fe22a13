import { type HandResult, type JsonObject, type Provenance, type Tool, text } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import { deferredSchema } from '../../schema/to-schema.js'
import { looksBinary } from '../file-text.js'
import { mediaKindOf } from '../media-kind.js'
import { readableSize } from '../readable-size.js'
import type { AllowedHosts } from './checked-url.js'
import { decodeBody } from './decode-body.js'
import { type FetchedPage, fetchPage } from './fetch-page.js'
import { htmlToText } from './html-to-text.js'

export type FetchOptions = {
  /** Hosts that may be reached although they are not public. */
  readonly allowed?: AllowedHosts
  /** Bytes read at most, after decompression. 5 MB if absent. */
  readonly mostBytes?: number
  /** Milliseconds for everything, redirects included. 30 seconds if absent. */
  readonly timeoutMs?: number
}

const MOST_BYTES = 5 * 1_024 * 1_024
const MOST_REDIRECTS = 5
const SHOWN_OF_AN_ERROR = 2_000

const INPUT = deferredSchema({
  type: 'object',
  properties: { url: { type: 'string', minLength: 1, maxLength: 8_000, description: 'An http or https URL.' } },
  required: ['url'],
  additionalProperties: false,
})

/**
 * Reads a page of the public web by GET: HTML as readable text, other text as it is, images and PDFs to look at.
 * What it brings is untrusted, and asking for it tells the other side something: the effect is outward.
 */
export function fetchUrlTool(options: FetchOptions = {}): Tool {
  const { allowed = [], mostBytes = MOST_BYTES, timeoutMs = 30_000 } = options
  return Object.freeze({
    name: 'fetch_url',
    title: 'Read a web page',
    description:
      'Reads a page of the public web (GET only): HTML as text with its links, other text as it is, images to look at.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'untrusted',
    outward: true,
    concurrency: 8,
    async run(args: JsonObject, { signal }) {
      const limits = { allowed, mostBytes, timeoutMs, mostRedirects: MOST_REDIRECTS }
      const page = await fetchPage((args as { url: string }).url, limits, signal)
      return page.status >= 200 && page.status < 300 ? shown(page) : refused(page)
    },
  } satisfies Tool)
}

async function shown(page: FetchedPage): Promise<HandResult> {
  const media = mediaKindOf(page.bytes)
  if (media !== undefined) return showMedia(page, media)
  if (!isText(page))
    throw new HostError(
      'fetch-not-text',
      `${page.url.href} is ${page.mediaType || 'binary data'} (${readableSize(page.bytes.length)}), which cannot be shown.`,
    )
  const isHtml = page.mediaType === 'text/html' || page.mediaType === 'application/xhtml+xml'
  const source = decodeBody(page.bytes, page.charset, isHtml)
  const html = isHtml ? await htmlToText(source, page.url) : undefined
  const notes = [
    ...(page.cut ? [`[Cut: the page is longer than ${readableSize(page.bytes.length)}.]`] : []),
    ...(html?.tooDeep ? ['[Cut: the page is nested too deeply.]'] : []),
  ]
  const body = html?.text ?? source
  const title = html?.title ? `${html.title}\n` : ''
  return {
    kind: 'result',
    content: [text(`${title}${page.url.href}`), ...(body === '' ? [] : [text(body)]), ...notes.map(text)],
    value: { url: page.url.href, mediaType: page.mediaType, text: body, ...(html ? { title: html.title } : {}) },
    provenance: origin(page),
  }
}

function showMedia(page: FetchedPage, { kind, mediaType }: NonNullable<ReturnType<typeof mediaKindOf>>): HandResult {
  if (page.cut)
    throw new HostError('fetch-too-large', `${page.url.href} is larger than ${readableSize(page.bytes.length)}.`)
  const source = { kind: 'data', base64: Buffer.from(page.bytes).toString('base64') } as const
  return {
    kind: 'result',
    content: [text(page.url.href), { kind, mediaType, source }],
    value: { url: page.url.href, mediaType, bytes: page.bytes.length },
    provenance: origin(page),
  }
}

async function refused(page: FetchedPage): Promise<HandResult> {
  const words = `${page.url.href} answered with status ${page.status}.`
  if (!isText(page)) return { kind: 'result', isError: true, content: [text(words)], provenance: origin(page) }
  const isHtml = page.mediaType.includes('html')
  const source = decodeBody(page.bytes, page.charset, isHtml)
  const body = isHtml ? (await htmlToText(source, page.url)).text : source
  return {
    kind: 'result',
    isError: true,
    content: [text(words), ...(body === '' ? [] : [text(body.slice(0, SHOWN_OF_AN_ERROR))])],
    provenance: origin(page),
  }
}

const TEXT_TYPES =
  /^(text\/.*|application\/((.*\+)?(json|xml)|(x-)?(ndjson|yaml|javascript|sh|toml|sql))|image\/svg\+xml)$/

/** A server that names no type, or the type of no type, is looked at. */
const isText = ({ mediaType, bytes }: FetchedPage): boolean =>
  TEXT_TYPES.test(mediaType) ||
  mediaType === 'application/xhtml+xml' ||
  ((mediaType === '' || mediaType === 'application/octet-stream') && !looksBinary(bytes))

const origin = (page: FetchedPage): Provenance => ({ source: 'function', name: page.url.host, trust: 'untrusted' })

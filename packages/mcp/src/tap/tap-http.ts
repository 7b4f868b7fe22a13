import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { McpError } from '../errors.js'
import { EventSplitter } from './event-splitter.js'
import type { SecretMask } from './secret-mask.js'
import type { TapSide } from './tap-entry.js'
import { KEPT_BYTES, type TapRecorder } from './tap-recorder.js'

export type TapHttpOptions = {
  /** The server. Its path is what clients are given; every other path of its origin is reached as well. */
  readonly url: string
  /** 0 or absent: any free one. */
  readonly port?: number
  readonly recorder: TapRecorder
  readonly mask: SecretMask
}

export type TapHttp = { readonly url: string; close(): Promise<void> }

/** Between two hosts only; a proxy makes its own. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * An address on this machine that hands everything on to a server: bodies byte for byte and as they come, either end
 * seeing when the other one leaves. Encodings are left out, so that what is recorded can be read.
 *
 * @throws McpError `mcp-listen-failed`
 */
export async function tapHttp({ url, port = 0, recorder, mask }: TapHttpOptions): Promise<TapHttp> {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = secure ? requestHttps : requestHttp
  let exchanges = 0

  const server = createServer((incoming, outgoing) => {
    const exchange = ++exchanges
    const session = String(incoming.headers['mcp-session-id'] ?? exchange)
    recorder.http('client', exchange, headline(`${incoming.method} ${incoming.url}`, incoming, mask))
    const onward = send(
      {
        protocol: target.protocol,
        host: target.hostname.replace(/^\[|\]$/g, ''),
        port: target.port === '' ? undefined : target.port,
        method: incoming.method,
        path: incoming.url,
        agent,
        headers: handedOn(incoming.rawHeaders, target.host),
        setHost: false,
      },
      (answer) => {
        // The first answer of a session names it; its requests were recorded under the exchange.
        recorder.http('server', exchange, headline(String(answer.statusCode), answer, mask), answer.statusCode)
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headerList(answer.rawHeaders))
        outgoing.flushHeaders()
        readAlong(answer, 'server', recorder, exchange, session)
        pipeline(answer, outgoing, () => undefined)
      },
    )
    readAlong(incoming, 'client', recorder, exchange, session)
    onward.on('error', (error: NodeJS.ErrnoException) => refuse(outgoing, error, recorder, exchange))
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) onward.destroy()
    })
    pipeline(incoming, onward, () => undefined)
  })
  await new Promise<void>((ready, fail) => {
    server.once('error', (cause) => {
      const message = `Port ${port} of 127.0.0.1 cannot be listened on. Choose another one with --port.`
      fail(new McpError('mcp-listen-failed', message, { cause }))
    })
    server.listen(port, '127.0.0.1', ready)
  })
  const place = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${place.port}${target.pathname}${target.search}`,
    async close() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}

function handedOn(raw: readonly string[], host: string): string[] {
  const headers: string[] = ['Host', host]
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at])
    const lower = name.toLowerCase()
    if (lower !== 'host' && lower !== 'accept-encoding' && !HOP_BY_HOP.has(lower))
      headers.push(name, String(raw[at + 1]))
  }
  return headers
}

function headerList(raw: readonly string[]): string[] {
  const headers: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (!HOP_BY_HOP.has(String(raw[at]).toLowerCase())) headers.push(String(raw[at]), String(raw[at + 1]))
  return headers
}

function headline(first: string, message: IncomingMessage, mask: SecretMask): string {
  const lines = Object.entries(message.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one) => `${name}: ${mask.header(name, one)}`),
  )
  return [first, ...lines].join('\n')
}

/** Records a body: each event of a stream as it comes, everything else as one message. */
function readAlong(
  message: IncomingMessage,
  side: TapSide,
  recorder: TapRecorder,
  exchange: number,
  session: string,
): void {
  const streamed = message.headers['content-type']?.startsWith('text/event-stream') === true
  const splitter = new EventSplitter(streamed, KEPT_BYTES, (line) => recorder.line(side, line, exchange, session))
  message.on('data', (chunk: Buffer) => splitter.write(chunk))
  message.on('close', () => splitter.end())
}

function refuse(outgoing: ServerResponse, error: NodeJS.ErrnoException, recorder: TapRecorder, exchange: number): void {
  recorder.http('server', exchange, `no answer: ${error.code ?? error.message}`)
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The server behind this tap does not answer.\n')
}

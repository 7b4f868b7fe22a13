import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type BearerOptions,
  LOCAL_HOSTS,
  LOCAL_PRINCIPAL,
  McpError,
  type McpService,
  mcpHttp,
  serveStdio,
} from '@tenon/mcp'
import { HostError } from '../errors.js'
import type { Io } from './io.js'
import { onSignals } from './on-signals.js'

export type ListenOptions = {
  /** A port of 127.0.0.1, 0 for any free one; true for the usual one. Absent: standard input and output. */
  readonly http?: number | true
  /** Names a variable of the environment that holds the token which clients must send. */
  readonly tokenFrom?: string
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  /** The old HTTP+SSE transport as well. */
  readonly sse?: boolean
}

const USUAL_PORT = 8931

/** Serves until the client has gone or the process is told to go. Over HTTP the address is printed as JSON. */
export async function listenMcp(io: Io, service: McpService, options: ListenOptions): Promise<void> {
  const stop = new AbortController()
  const stopListening = onSignals({ cancel: () => stop.abort(), leave: () => stop.abort() })
  try {
    if (options.http === undefined)
      await serveStdio({ service, stdin: io.stdin, stdout: io.stdout, signal: stop.signal })
    else await listenHttp(io, service, options, stop.signal)
  } finally {
    stopListening()
    io.stdin.destroy()
  }
}

async function listenHttp(io: Io, service: McpService, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { http, allowHost, allowOrigin, sse = false } = options
  const bearer = bearerOf(io, options)
  const endpoint = mcpHttp({
    service,
    sse,
    ...(bearer === undefined ? {} : { bearer }),
    ...(allowHost === undefined ? {} : { allowedHosts: [...LOCAL_HOSTS, ...allowHost] }),
    ...(allowOrigin === undefined ? {} : { allowedOrigins: [...LOCAL_HOSTS, ...allowOrigin] }),
  })
  const server = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end()
  })
  const port = http === true ? USUAL_PORT : http
  await new Promise<void>((ready, fail) => {
    server.once('error', (cause) => {
      const message = `Port ${port} of 127.0.0.1 cannot be listened on. Choose another one with --http.`
      fail(new McpError('mcp-listen-failed', message, { cause }))
    })
    server.listen(port, '127.0.0.1', ready)
  })
  const address = server.address() as AddressInfo
  io.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/mcp` })}\n`)
  await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }))
  endpoint.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
}

function bearerOf(io: Io, { tokenFrom }: ListenOptions): BearerOptions | undefined {
  if (tokenFrom === undefined) return undefined
  const expected = io.environment[tokenFrom]
  if (!expected) throw new HostError('config-secret-missing', `Set ${tokenFrom} to the token that clients must send.`)
  return { authenticate: (token) => (sameToken(token, expected) ? { principal: LOCAL_PRINCIPAL } : undefined) }
}

/** Takes as long for a wrong token as for a right one. */
function sameToken(told: string, expected: string): boolean {
  let different = told.length ^ expected.length
  for (let at = 0; at < expected.length; at++) different |= (told.charCodeAt(at) || 0) ^ expected.charCodeAt(at)
  return different === 0
}

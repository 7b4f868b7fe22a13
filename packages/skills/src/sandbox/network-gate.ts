import { chmodSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The one way out of a job: a proxy that reaches the hosts of a list and nothing else. */
export type NetworkGate = {
  /** Hosts that were asked for and refused, each once. */
  readonly refused: ReadonlySet<string>
  close(): Promise<void>
}

/** A host means its web ports; `host:port` means that port. */
const WEB_PORTS: readonly string[] = ['80', '443']
const MOST_REFUSED = 50

/** An HTTP proxy on a unix socket: `CONNECT` for TLS and anything else over TCP, absolute addresses for plain HTTP. */
export async function openNetworkGate(socketPath: string, allow: readonly string[]): Promise<NetworkGate> {
  const refused = new Set<string>()
  const open = new Set<Duplex>()
  const allowed = (host: string, port: string): boolean => {
    const name = host.toLowerCase()
    if (allow.some((entry) => entry === `${name}:${port}` || (entry === name && WEB_PORTS.includes(port)))) return true
    if (refused.size < MOST_REFUSED) refused.add(`${name}:${port}`)
    return false
  }
  const server = createServer((asked, answer) => forward(asked, answer, allowed))
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { host, port } = targetOf(asked.url ?? '')
    socket.on('error', () => {})
    if (!allowed(host, port)) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      return
    }
    tunnel(connect({ host, port: Number(port) }), socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  chmodSync(socketPath, 0o777)
  return {
    refused,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** `host:port`, and `[::1]:443` for addresses with colons. */
function targetOf(authority: string): { readonly host: string; readonly port: string } {
  const [, bracketed, plain, port = '443'] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(authority) ?? []
  return { host: bracketed ?? plain ?? '', port }
}

function tunnel(to: Socket, from: Duplex, head: Buffer): void {
  to.once('connect', () => {
    from.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) to.write(head)
    to.pipe(from)
    from.pipe(to)
  })
  to.on('error', () => from.destroy())
  to.once('close', () => from.destroy())
  from.once('close', () => to.destroy())
}

function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  allowed: (host: string, port: string) => boolean,
): void {
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
  if (url === undefined || url.protocol !== 'http:' || !allowed(url.hostname, url.port || '80')) {
    answer.writeHead(403).end(`The sandbox does not let ${url?.host ?? 'this'} be reached.\n`)
    return
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers
  const onward = request(url, { method: asked.method ?? 'GET', headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(answer)
  })
  onward.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  answer.once('close', () => onward.destroy())
  asked.pipe(onward)
}

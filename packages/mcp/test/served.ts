import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@tenon/kernel'
import { onTestFinished } from 'vitest'
import { type McpHttpOptions, mcpHttp } from '../src/server/http/mcp-http.js'
import type { McpService, ServedCall } from '../src/server/service.js'

/** A service whose tools do what a test says. */
export function serviceOf(call: (call: ServedCall) => Promise<JsonObject>): McpService {
  return {
    info: () => ({ serverInfo: { name: 'served', version: '1' }, capabilities: { tools: { listChanged: true } } }),
    request: (served) => (served.method === 'tools/list' ? Promise.resolve({ tools: [] }) : call(served)),
    follow: () => ({ changed: () => undefined, stop: () => undefined }),
  }
}

export const said = (text: string): JsonObject => ({ content: [{ type: 'text', text }] })

/** The service behind a real socket, closed with the test. */
export async function served(service: McpService, options: Omit<McpHttpOptions, 'service'> = {}): Promise<string> {
  const endpoint = mcpHttp({ service, ...options })
  const server = createServer((asked, answer) => {
    if (!endpoint.handle(asked, answer)) answer.writeHead(404).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    endpoint.close()
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

export type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }

/** A request of a client that follows no rules but those of HTTP. */
export const send = (url: string, { method = 'POST', headers = {}, body }: Sent): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    const accept = 'application/json, text/event-stream'
    const all = { 'content-type': 'application/json', accept, ...headers }
    request(url, { method, headers: all, agent: false }, done).on('error', fail).end(body)
  })

/** What came, to its end. */
export async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of message.setEncoding('utf8')) text += part
  return text
}

export type Reply = {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly error?: { readonly code: number; readonly data?: JsonObject }
  readonly result?: JsonObject
}

export async function replyTo(url: string, sent: Sent): Promise<Reply> {
  const message = await send(url, sent)
  const text = await textOf(message)
  const json = text.startsWith('{') ? (JSON.parse(text) as Pick<Reply, 'error' | 'result'>) : {}
  return { status: message.statusCode, headers: message.headers, ...json }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}

/** A request of revision 2026-07-28, with everything that it needs. */
export function modern(method: string, params: JsonObject = {}, headers: Record<string, string> = {}): Sent {
  const name = params.name ?? params.uri ?? params.taskId
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: { ...META, ...(params._meta as object) } },
    }),
  }
}

/** A session of the legacy era; returns the headers that its requests carry. */
export async function legacySession(
  url: string,
  capabilities: JsonObject = {},
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'old', version: '1' } }
  const hello = await send(url, {
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await textOf(hello)
  const session = {
    ...headers,
    'mcp-session-id': String(hello.headers['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  }
  const ready = await send(url, { headers: session, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' })
  ready.resume()
  return session
}

export const legacy = (method: string, params: JsonObject, headers: Record<string, string>, id = 1): Sent => ({
  headers,
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
})

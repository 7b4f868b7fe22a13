import type { IncomingMessage, ServerResponse } from 'node:http'
import { McpError } from '../../errors.js'
import type { JsonRpcFault, Received } from '../../upstream/json-rpc.js'
import { claimsEnvelope, META, MODERN_VERSIONS, readEnvelope } from '../modern/envelope.js'
import { isListener, type ModernEndpoint } from '../modern/modern-endpoint.js'
import { faultText, RPC } from '../rpc-reply.js'
import { EventStream } from './event-stream.js'
import type { KeepAlive } from './keep-alive.js'
import { paramHeaderFault } from './param-header-fault.js'
import { headerFault } from './standard-headers.js'

/** Whether a POST is for the modern era: its body says so, or its header, unless it is the handshake of the other era. */
export function isModernPost(message: Received, request: IncomingMessage): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false
  const version = request.headers['mcp-protocol-version']
  if (claimsEnvelope(message.params)) return true
  return message.method !== 'initialize' && typeof version === 'string' && MODERN_VERSIONS.includes(version.trim())
}

/** One POST of revision 2026-07-28: answered with JSON, or with events once there is more to say than the answer. */
export async function serveModernPost(
  endpoint: ModernEndpoint,
  message: Received,
  request: IncomingMessage,
  response: ServerResponse,
  context: { readonly principal: string; readonly keepAlive: KeepAlive },
): Promise<void> {
  if (message.kind !== 'request') {
    response.writeHead(202).end()
    return
  }
  const { id, method, params } = message
  const refuse = (fault: JsonRpcFault): void => reply(response, faultText(id, fault), fault.code, true)
  const envelope = readEnvelope(params)
  if ('fault' in envelope && envelope.fault.code === RPC.invalidParams) return refuse(envelope.fault)
  const claimed = 'fault' in envelope ? claimedVersion(params) : envelope.version
  const fault =
    headerFault(request.headers, method, params, claimed) ?? ('fault' in envelope ? envelope.fault : undefined)
  if (fault !== undefined) return refuse(fault)

  const { principal, keepAlive } = context
  const schema = 'fault' in envelope ? undefined : endpoint.schemaOf({ method, params, principal }, envelope)
  const wrongParam = schema === undefined ? undefined : paramHeaderFault(request.headers, schema, params)
  if (wrongParam !== undefined) return refuse(wrongParam)
  let events: EventStream | undefined
  const stream = (): EventStream => {
    events ??= new EventStream(response)
    return events
  }
  const send = (text: string): void => stream().message(text)
  const quiet = keepAlive.add(() => stream().beat())
  if (method === 'subscriptions/listen') {
    const listening = await endpoint.listen({ id, method, params, principal, send }, () => events?.end())
    if (!isListener(listening)) {
      quiet()
      return reply(response, listening.text, listening.fault)
    }
    response.on('close', () => {
      quiet()
      listening.stop()
    })
    return
  }
  const left = new AbortController()
  response.on('close', () => {
    quiet()
    // In this era to leave is to cancel (2026-07-28, transports).
    if (!response.writableFinished) left.abort(new McpError('mcp-cancelled', 'The client has left.'))
  })
  const answer = await endpoint.serve({ id, method, params, principal, signal: left.signal, send })
  quiet()
  if (events === undefined) return reply(response, answer.text, answer.fault)
  send(answer.text)
  stream().end()
}

const claimedVersion = (params: { readonly _meta?: unknown }): string => {
  const meta = params._meta as Record<string, unknown> | undefined
  return String(meta?.[META.protocolVersion])
}

/** Errors of the protocol have a status; what a handler answered is an answer (2026-07-28, transports). */
const STATUS: Readonly<Record<number, number>> = {
  [RPC.methodNotFound]: 404,
  [RPC.missingCapability]: 400,
  [RPC.unsupportedVersion]: 400,
  [RPC.headerMismatch]: 400,
  [RPC.invalidRequest]: 400,
}

function reply(response: ServerResponse, text: string, fault: number | undefined, atTheDoor = false): void {
  if (response.headersSent) return
  const status = fault === undefined ? 200 : (STATUS[fault] ?? (atTheDoor ? 400 : 200))
  // With the length known it is one write instead of three.
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}

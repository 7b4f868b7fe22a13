import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from '@tenon/kernel'
import { RPC } from '../rpc-reply.js'
import { readBody } from './read-body.js'
import { refuse } from './refuse.js'

/** The body of a POST; undefined when it is none that can be used, and has been refused. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<{ readonly value: Json } | undefined> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    refuse(response, 415, RPC.server, 'The body must be application/json.')
    return undefined
  }
  const body = await readBody(request, maxBytes)
  if (body === undefined) {
    response.setHeader('connection', 'close')
    refuse(response, 413, RPC.server, `A message may have ${maxBytes} bytes.`)
    return undefined
  }
  try {
    return { value: JSON.parse(body) as Json }
  } catch {
    refuse(response, 400, RPC.parse, 'The body is not JSON.')
    return undefined
  }
}

import type { ServerResponse } from 'node:http'
import { faultText } from '../rpc-reply.js'

/** A refusal that belongs to no request of the client's. */
export function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(faultText(null, { code, message }))
}

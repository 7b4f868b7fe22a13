import type { IncomingMessage } from 'node:http'
import { collectBody } from '@tenon/a2a/net'
import type { Json } from '@tenon/kernel'
import { HostError } from '../../errors.js'

/** Nesting past which no request goes; what walks over a request may recurse. */
const DEEPEST = 64

/**
 * The JSON of a request. Other media types are refused, because a page of another origin may send those unasked.
 * @throws HostError `media-type`, `body-too-large`, `request-invalid`
 */
export async function readJsonBody(request: IncomingMessage, mostBytes: number): Promise<Json> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new HostError('media-type', 'Send JSON, with the header Content-Type: application/json.')
  const tooLarge = (): HostError => new HostError('body-too-large', `A request may have ${mostBytes} bytes.`)
  const bytes = await collectBody(request, mostBytes, tooLarge)
  let body: Json
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch (cause) {
    throw new HostError('request-invalid', 'The body is no JSON.', { cause })
  }
  if (isDeeper(body, DEEPEST)) throw new HostError('request-invalid', `The body is nested more than ${DEEPEST} deep.`)
  return body
}

function isDeeper(value: Json, most: number): boolean {
  let level: readonly Json[] = [value]
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? (Object.values(item) as Json[]) : []))
    if (level.length === 0) return false
  }
  return true
}

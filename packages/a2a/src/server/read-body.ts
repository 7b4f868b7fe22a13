import type { IncomingMessage } from 'node:http'
import type { Json } from '@tenon/kernel'
import { A2AError } from '../errors.js'
import { collectBody } from '../net/collect-body.js'
import { invalid } from '../tasks/invalid-field.js'

/** Nesting past which no A2A request goes; what walks over a request may recurse. */
const DEEPEST = 100

/**
 * The JSON of a request. Other media types are refused, because a browser sends them without asking.
 * @throws A2AError `a2a-media-type`, `a2a-body-too-large`, `a2a-parse-error`
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Json> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && type !== 'application/a2a+json')
    throw new A2AError('a2a-media-type', 'Requests must be application/json or application/a2a+json.')
  const tooLarge = (): A2AError => new A2AError('a2a-body-too-large', `A request may have ${mostBytes} bytes.`)
  const bytes = await collectBody(request, mostBytes, tooLarge)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch (cause) {
    throw new A2AError('a2a-parse-error', 'The body is no JSON.', { cause })
  }
}

/** @throws A2AError `a2a-invalid-params` */
export function refuseDeep(value: Json | undefined): void {
  let level: readonly (Json | undefined)[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw invalid('params', `are nested more than ${DEEPEST} deep`)
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as readonly Json[]).filter(isNested) : [],
    )
  }
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null

import { harmless, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { DoorResponse } from '../../net/door.js'
import { readRetryAfter } from '../../net/read-retry-after.js'
import { PeerError } from '../peer-error.js'

/** Reasons by JSON-RPC code (spec 5.4), for peers that send no ErrorInfo. */
const REASONS: Readonly<Record<number, string>> = {
  [-32001]: 'TASK_NOT_FOUND',
  [-32002]: 'TASK_NOT_CANCELABLE',
  [-32003]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [-32004]: 'UNSUPPORTED_OPERATION',
  [-32005]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [-32006]: 'INVALID_AGENT_RESPONSE',
  [-32007]: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  [-32008]: 'EXTENSION_SUPPORT_REQUIRED',
  [-32009]: 'VERSION_NOT_SUPPORTED',
  [-32601]: 'METHOD_NOT_FOUND',
  [-32603]: 'INTERNAL',
}

const MAY_HAVE_RUN: ReadonlySet<string> = new Set(['INTERNAL', 'INVALID_AGENT_RESPONSE', 'UNKNOWN', 'UNAVAILABLE'])

/** An A2A error, as JSON-RPC has it (`code` is a number) or as HTTP+JSON has it (AIP-193, `status` beside it). */
export function readA2aError(peer: string, error: JsonObject): PeerError {
  const code = typeof error.code === 'number' ? error.code : 0
  const status = typeof error.status === 'string' ? error.status : undefined
  const reason = reasonIn(error.data) ?? reasonIn(error.details) ?? REASONS[code] ?? status ?? `CODE_${code}`
  const said = typeof error.message === 'string' ? harmless(error.message, (text) => text) : ''
  const words = `${reason}${said === '' || said === reason ? '' : `: ${said}`}`
  if (reason === 'VERSION_NOT_SUPPORTED')
    return new PeerError('peer-version-refused', `${peer} does not speak our version (${words}).`, { reason })
  if (reason === 'TASK_NOT_FOUND')
    return new PeerError('peer-task-lost', `${peer} does not know the task (${words}).`, { reason, mayHaveRun: true })
  if (MAY_HAVE_RUN.has(reason))
    return new PeerError('peer-unavailable', `${peer} failed (${words}).`, { reason, mayHaveRun: true })
  return new PeerError('peer-refused', `${peer} refused (${words}).`, { reason })
}

function reasonIn(details: Json | undefined): string | undefined {
  if (!Array.isArray(details)) return undefined
  for (const detail of details as readonly Json[])
    if (isJsonObject(detail) && typeof detail.reason === 'string') return detail.reason
  return undefined
}

/** A response that is not 2xx. What it says beside an A2A error is not repeated: it may be a page of a proxy. */
export function readFailure(peer: string, response: DoorResponse, body: string, now: number): PeerError {
  const { status } = response
  const retryAfterMs = readRetryAfter(response.header('retry-after'), now)
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status >= 300 && status < 400)
    return new PeerError('peer-redirect-refused', `${peer} redirects to another address, which is not followed.`)
  if (status === 401) {
    const challenge = response.header('www-authenticate')?.slice(0, 200)
    return new PeerError(
      'peer-unauthenticated',
      `${peer} wants credentials${challenge === undefined ? '' : ` (${challenge})`}. The user has to set them in the configuration.`,
    )
  }
  if (status === 403) return new PeerError('peer-forbidden', `${peer} does not allow this with our credentials.`)
  if (status === 429 || (status === 503 && retryAfterMs !== undefined))
    return new PeerError('peer-unavailable', `${peer} is busy (${status}).`, { ...wait, repeatable: true })
  const error = errorIn(body)
  if (error !== undefined && status < 500) return readA2aError(peer, error)
  if (status >= 500 || status === 408)
    return new PeerError('peer-unavailable', `${peer} failed (${status}).`, { ...wait, mayHaveRun: true })
  return new PeerError('peer-protocol-error', `${peer} answered with status ${status} and nothing of A2A.`)
}

function errorIn(body: string): JsonObject | undefined {
  try {
    return errorOf(JSON.parse(body) as Json)
  } catch {
    return undefined
  }
}

/** The error that a body is; over HTTP+JSON some servers of 0.3 send it without a name around it. */
export function errorOf(json: Json): JsonObject | undefined {
  if (!isJsonObject(json)) return undefined
  if (isJsonObject(json.error)) return json.error
  return typeof json.code === 'number' && typeof json.message === 'string' ? json : undefined
}

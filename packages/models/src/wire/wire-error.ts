import type { ErrorRecord, Json, JsonObject } from '@tenon/kernel'
import { errorRecord, isJsonObject } from '@tenon/kernel'
import type { ModelsErrorCode } from '../errors.js'
import { ModelsError } from '../errors.js'
import type { ErrorEvidence } from './error-signs.js'
import { ERROR_ADVICE, ERROR_SIGNS, STATUS_CODES, TYPE_CODES, WAITING_CODES } from './error-signs.js'
import type { Headers } from './retry-after.js'
import { retryAfterMs } from './retry-after.js'
import { safeExcerpt } from './safe-excerpt.js'

export type FailedAnswer = {
  readonly provider: string
  readonly status: number
  readonly headers: Headers
  /** The body, or the event that ended a stream. Undefined where it was no JSON. */
  readonly body: Json | undefined
  /** The body was a web page. It is never shown. */
  readonly html?: boolean
  /** A body that is neither JSON nor a page. */
  readonly text?: string
  /** The key that was sent: a provider may repeat it in what it says. */
  readonly secret?: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The error of the package's table that a provider's answer means. */
export function wireError(answer: FailedAnswer): ErrorRecord {
  const parts = errorParts(answer.body)
  const evidence = evidenceOf(answer, parts)
  const code = answer.html === true ? pageCode(answer.status) : codeOf(evidence, answer.status)
  const said = answer.html === true ? '' : safeExcerpt(parts.messages[0] ?? answer.text ?? '', answer.secret)
  const wait = WAITING_CODES.has(code) ? retryAfterMs(answer.headers, answer.body, answer.now) : undefined
  const requestId = answer.headers['x-request-id'] ?? answer.headers['request-id']
  const message = [
    ERROR_ADVICE[code] ?? 'The provider answered with an error.',
    said === '' ? '' : `${answer.provider} says: ${said}`,
  ]
  return errorRecord(
    new ModelsError(code, message.filter((part) => part !== '').join(' '), {
      detail: {
        provider: answer.provider,
        status: answer.status,
        ...(parts.codes[0] === undefined ? {} : { providerCode: parts.codes[0] }),
        ...(requestId === undefined ? {} : { requestId }),
      },
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    }),
  )
}

/**
 * The error inside a body or an event that came with a good status; undefined if there is none. An empty error field
 * and a `base_resp` or `code` of success are none.
 */
export function errorInside(body: Json): Json | undefined {
  if (Array.isArray(body)) return body.length > 0 && errorInside(body[0] as Json) !== undefined ? body : undefined
  if (!isJsonObject(body)) return undefined
  if (isTold(body.error) || (Array.isArray(body.errors) && body.errors.length > 0)) return body
  const base = body.base_resp
  if (isJsonObject(base) && typeof base.status_code === 'number' && base.status_code !== 0) return body
  if (body.type === 'error' || body.object === 'error') return body
  const isAnswer = ['choices', 'output', 'content', 'type'].some((key) => key in body)
  const isBad =
    body.code !== undefined && body.code !== null && !['0', '200', 'ok', 'success'].includes(lower(body.code))
  return !isAnswer && isBad && isTold(body.message) ? body : undefined
}

function isTold(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

function pageCode(status: number): ModelsErrorCode {
  if (status < 400 || status === 404) return 'wrong-endpoint'
  return codeOf({ status, codes: new Set(), words: '' }, status)
}

function codeOf(evidence: ErrorEvidence, httpStatus: number): ModelsErrorCode {
  for (const sign of ERROR_SIGNS) {
    if (sign.unless?.includes(evidence.status)) continue
    if (sign.codes?.some((code) => evidence.codes.has(code))) return sign.code
    if (sign.statuses?.includes(evidence.status)) return sign.code
    if (sign.words?.test(evidence.words)) return sign.code
  }
  const { status } = evidence
  if (httpStatus >= 300 && httpStatus < 400) return 'wrong-endpoint'
  if (httpStatus < 400 && status < 400) {
    for (const code of evidence.codes) {
      const meant = Object.hasOwn(TYPE_CODES, code) ? TYPE_CODES[code] : undefined
      if (meant !== undefined) return meant
    }
    return 'server-error'
  }
  return STATUS_CODES[status] ?? (status >= 400 && status < 500 ? 'invalid-request' : 'server-error')
}

function evidenceOf(answer: FailedAnswer, parts: ErrorParts): ErrorEvidence {
  const said = parts.codes.find((code) => /^[45]\d\d$/.test(code))
  return {
    status: answer.status < 400 && said !== undefined ? Number(said) : answer.status,
    codes: new Set(parts.codes.map((code) => code.toLowerCase())),
    words: [...parts.messages, answer.text ?? ''].map((words) => words.slice(0, 4_000)).join('\n'),
  }
}

type ErrorParts = { readonly codes: string[]; readonly messages: string[] }

const CODE_KEYS = ['code', 'type', 'status', 'status_code', 'reason', 'error_code', 'error_type'] as const
const WORD_KEYS = ['message', 'status_msg', 'detail', 'msg', 'description', 'error_msg', 'field', 'param'] as const
const INNER_KEYS = [
  'error',
  'errors',
  'innererror',
  'inner_error',
  'base_resp',
  'details',
  'violations',
  'metadata',
  'response',
] as const

/** Collects codes and words wherever providers put them, outermost error first. */
function errorParts(body: Json | undefined): ErrorParts {
  const parts: ErrorParts = { codes: [], messages: [] }
  collect(body, parts, 0)
  return parts
}

function collect(value: Json | undefined, parts: ErrorParts, depth: number): void {
  if (depth > 6 || value === undefined || value === null) return
  if (typeof value === 'string') {
    if (value !== '') parts.messages.push(value)
    if (/^\s*[{[]/.test(value)) collectWrapped(value, parts, depth)
  } else if (Array.isArray(value)) for (const item of value.slice(0, 20)) collect(item as Json, parts, depth + 1)
  else if (isJsonObject(value)) collectObject(value, parts, depth)
}

function collectObject(object: JsonObject, parts: ErrorParts, depth: number): void {
  const { error } = object
  if (isJsonObject(error) || Array.isArray(error)) collect(error, parts, depth + 1)
  for (const key of CODE_KEYS) {
    const code = object[key]
    if ((typeof code === 'string' && code !== '') || typeof code === 'number') parts.codes.push(String(code))
  }
  for (const key of WORD_KEYS) {
    const words = object[key]
    if (typeof words === 'string') collect(words, parts, depth + 1)
    else if (isTold(words)) parts.messages.push(JSON.stringify(words))
  }
  if (typeof object.quotaId === 'string') parts.messages.push(`quotaId ${object.quotaId}`)
  collect(typeof object.raw === 'string' ? object.raw : undefined, parts, depth + 1)
  for (const key of INNER_KEYS) if (key !== 'error' || typeof error === 'string') collect(object[key], parts, depth + 1)
}

/** A gateway may pass the error of its own upstream on as text. */
function collectWrapped(text: string, parts: ErrorParts, depth: number): void {
  try {
    collect(JSON.parse(text) as Json, parts, depth + 1)
  } catch {
    // Words that only look like JSON stay words.
  }
}

const lower = (value: Json): string => String(value).toLowerCase()

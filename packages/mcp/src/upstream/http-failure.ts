import { McpError } from '../errors.js'
import type { HttpHead } from './http-exchange.js'

/** What an HTTP status that is no answer means. The body is never shown: it may be a page, or hold a secret. */
export function httpFailure(name: string, { status, headers }: HttpHead): McpError {
  if (status === 401) return new McpError('mcp-auth-required', `${name} wants somebody to sign in (HTTP 401).`)
  if (status === 403) return new McpError('mcp-forbidden', `${name} does not allow this (HTTP 403).`)
  const wait = retryAfter(headers['retry-after'])
  return new McpError('mcp-http-error', `${name} answered with HTTP ${status}.`, {
    detail: { status },
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  })
}

export const statusOf = (error: McpError): number | undefined => {
  const { detail } = error
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return undefined
  const { status } = detail as { status?: unknown }
  return typeof status === 'number' ? status : undefined
}

/** Seconds or a date, as milliseconds from now. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

import type { Json } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/

/**
 * Milliseconds until a retry makes sense, as the provider gives them in headers or in the error's details; never read
 * from prose. `retry-after-ms`, then `retry-after` (RFC 9110, section 10.2.3), then `retryDelay` of google.rpc.RetryInfo,
 * then the longest reset of the limits that are used up.
 */
export function retryAfterMs(headers: Headers, body: Json | undefined, now: number): number | undefined {
  const all = { ...headersInside(body), ...headers }
  return (
    milliseconds(all['retry-after-ms']) ??
    waitOf(all['retry-after'], now) ??
    durationMs(retryDelay(body)) ??
    longestReset(all, now)
  )
}

function longestReset(headers: Headers, now: number): number | undefined {
  let longest: number | undefined
  for (const [name, value] of Object.entries(headers)) {
    if (!/rate-?limit/.test(name) || !name.includes('remaining') || Number(value.trim() || 'x') !== 0) continue
    const wait = waitOf(headers[name.replace('remaining', 'reset')], now)
    if (wait !== undefined && wait > (longest ?? -1)) longest = wait
  }
  return longest
}

/** A duration, a date, or a number: epoch milliseconds or seconds where it is that large, else seconds from now. */
function waitOf(value: string | undefined, now: number): number | undefined {
  const text = value?.trim()
  if (text === undefined || text === '') return undefined
  const duration = durationMs(text)
  if (duration !== undefined) return duration
  const number = Number(text)
  const instant = number >= 1e12 ? number : number >= 1e9 ? number * 1000 : undefined
  if (Number.isFinite(number) && instant === undefined) return number < 0 ? undefined : Math.round(number * 1000)
  const at = instant ?? Date.parse(text)
  return Number.isFinite(at) ? Math.max(0, Math.round(at - now)) : undefined
}

function milliseconds(value: string | undefined): number | undefined {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && number >= 0 ? Math.round(number) : undefined
}

function durationMs(value: string | undefined): number | undefined {
  const text = value?.trim() ?? ''
  if (!DURATION.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g))
    sum += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  return Math.round(sum)
}

function retryDelay(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = retryDelay(item as Json)
      if (found !== undefined) return found
    }
  } else if (isJsonObject(value)) {
    if (typeof value.retryDelay === 'string') return value.retryDelay
    return retryDelay(value.error) ?? retryDelay(value.details)
  }
  return undefined
}

/** OpenRouter passes the headers of a limit on inside the error's metadata. */
function headersInside(body: Json | undefined): Headers {
  const error = isJsonObject(body) ? body.error : undefined
  const metadata = isJsonObject(error) ? error.metadata : undefined
  const inside = isJsonObject(metadata) ? metadata.headers : undefined
  if (!isJsonObject(inside)) return {}
  return Object.fromEntries(Object.entries(inside).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

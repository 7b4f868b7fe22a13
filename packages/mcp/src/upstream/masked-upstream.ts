import type { Json, Redact } from '@tenon/kernel'
import { isMcpError, McpError } from '../errors.js'
import type { RequestOptions, ServerRequestHandler, Upstream, UpstreamEvent } from './upstream.js'

/** What goes back to the server byte for byte; with something taken out of it, it would be worth nothing. */
const OPAQUE: ReadonlySet<string> = new Set(['requestState', 'taskId', 'nextCursor'])

/**
 * The same upstream, with known secrets taken out of all that its server says: results, questions, messages, errors
 * and its log. A token that is sent with a request may come back in any of them.
 */
export function maskedUpstream(upstream: Upstream, redact: Redact): Upstream {
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw cleanError(error, redact)
    }
  }
  return {
    name: upstream.name,
    get info() {
      return upstream.info && masked(upstream.info, redact)
    },
    open: async (signal) => masked(await guarded(upstream.open(signal)), redact),
    request: async (method, params, options) =>
      masked(await guarded(upstream.request(method, params, options && cleanOptions(options, redact))), redact),
    notify: (method, params) => guarded(upstream.notify(method, params)),
    follow: (filter) => guarded(upstream.follow(filter)),
    on: (listener) => upstream.on((event) => listener(cleanEvent(event, redact))),
    get log() {
      return redact(upstream.log)
    },
    close: () => upstream.close(),
  }
}

/** A handler that sees no secrets in what it is asked. */
export function maskedHandler(handler: ServerRequestHandler, redact: Redact): ServerRequestHandler {
  return (request) => handler({ ...request, params: masked(request.params, redact) })
}

function cleanOptions(options: RequestOptions, redact: Redact): RequestOptions {
  const { onProgress, onNotification, onServerRequest } = options
  return {
    ...options,
    ...(onProgress && {
      onProgress: ({ message, ...progress }) =>
        onProgress(message === undefined ? progress : { ...progress, message: redact(message) }),
    }),
    ...(onNotification && { onNotification: (method, params) => onNotification(method, masked(params, redact)) }),
    ...(onServerRequest && { onServerRequest: maskedHandler(onServerRequest, redact) }),
  }
}

function cleanEvent(event: UpstreamEvent, redact: Redact): UpstreamEvent {
  switch (event.kind) {
    case 'opened':
      return { ...event, info: masked(event.info, redact) }
    case 'lost':
    case 'failed':
      return { ...event, error: cleanError(event.error, redact) }
    case 'notification':
      return { ...event, params: masked(event.params, redact) }
    case 'diagnostic':
      return event.detail === undefined ? event : { ...event, detail: redact(event.detail) }
    default:
      return event
  }
}

/** Without its cause, where it had to be changed: that would still hold what was taken out. */
function cleanError<T>(error: T, redact: Redact): T | McpError {
  if (!isMcpError(error)) return error
  const { code, message, detail, retryAfterMs } = error
  const [said, more] = [redact(message), detail === undefined ? undefined : masked(detail, redact)]
  if (said === message && more === detail) return error
  return new McpError(code, said, {
    ...(more === undefined ? {} : { detail: more }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** The same object where there is nothing to take out. */
function masked<T>(value: T, redact: Redact): T {
  return clean(value as Json, redact) as T
}

function clean(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const cleaned = entries.map(([key, one]) => [redact(key), OPAQUE.has(key) ? one : clean(one, redact)] as const)
  if (cleaned.every(([key, one], at) => key === entries[at]?.[0] && one === entries[at]?.[1])) return value
  return Array.isArray(value) ? cleaned.map(([, one]) => one) : Object.fromEntries(cleaned)
}

import { createRequire } from 'node:module'
import type { Agent, Dispatcher } from 'undici'

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type HttpHead = { readonly status: number; readonly headers: Readonly<Record<string, string>> }

/** Calls come in this order: head, data*, then one of end and fail. None after `abort`. */
export type HttpHandlers = {
  head(head: HttpHead): void
  data(chunk: Buffer): void
  end(): void
  /** The connection failed; `sent` when the server may have read the request. */
  fail(error: Error, sent: boolean): void
}

/** Milliseconds until a connection must stand. Other waits are the callers': they know what progress is. */
const CONNECT_MS = 10_000

/** Loaded here and not at import: servers over pipes, which are most, start without it. */
export function httpAgent(): Agent {
  // By its file: the index of undici loads three times as long, for what is not used here. The version is pinned exactly.
  const Agent = createRequire(import.meta.url)('undici/lib/dispatcher/agent.js') as typeof import('undici').Agent
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS }, allowH2: false })
}

/** One request and its response, without following redirects. */
export function exchange(agent: Agent, request: HttpRequest, handlers: HttpHandlers): { abort(): void } {
  const { method, url, headers, body } = request
  let controller: Dispatcher.DispatchController | undefined
  let over = false
  agent.dispatch(
    {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    },
    {
      onRequestStart(started) {
        controller = started
        if (over) started.abort(new Error('not wanted any more'))
      },
      onResponseStart(_, status, received) {
        if (!over) handlers.head({ status, headers: flat(received) })
      },
      onResponseData(_, chunk) {
        if (!over) handlers.data(chunk)
      },
      onResponseEnd() {
        if (over) return
        over = true
        handlers.end()
      },
      onResponseError(_, error) {
        if (over) return
        over = true
        handlers.fail(error, controller !== undefined)
      },
    },
  )
  return {
    abort() {
      if (over) return
      over = true
      controller?.abort(new Error('not wanted any more'))
    },
  }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) found[name] = typeof value === 'string' ? value : value.join(', ')
  return found
}

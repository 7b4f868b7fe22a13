import { createRequire } from 'node:module'
import type { Dispatcher, Agent as UndiciAgent } from 'undici'

const load = createRequire(import.meta.url)

/**
 * What a door needs of undici, by the names of its files: its index brings along what nobody asks for here, `fetch`,
 * WebSocket and mocks, and with them three times the time to load. The version is pinned exactly.
 */
export const Agent: typeof UndiciAgent = load('undici/lib/dispatcher/agent.js')

const request: (this: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData> = load(
  'undici/lib/api/api-request.js',
)

/** One request over this dispatcher, as undici's own `request` sends it. */
export function requestOver(
  dispatcher: Dispatcher,
  url: URL,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
): Promise<Dispatcher.ResponseData> {
  return request.call(dispatcher, { ...options, origin: url.origin, path: `${url.pathname}${url.search}` })
}

import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { PeerError } from '../peer-error.js'
import type { Dialect, Operation } from './dialect.js'
import { errorOf, readA2aError } from './read-failure.js'
import { notA2a } from './refused-answers.js'

export type BoundRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The result inside one response or one stream event. @throws PeerError for an error of the peer */
  unwrap(json: Json): Json
}

/** How operations travel: one of the bindings of the specification, for one version. */
export type Binding = (
  operation: Operation,
  params: JsonObject,
  at: { readonly peer: string; readonly url: string; readonly dialect: Dialect; readonly tenant?: string },
) => BoundRequest

let requests = 0

/** JSON-RPC 2.0 over HTTP POST (spec 9). */
export const jsonRpc: Binding = (operation, params, { peer, url, dialect, tenant }) => {
  const id = `${++requests}`
  const method = dialect.methods[operation]
  if (method === undefined)
    throw new PeerError('peer-refused', `A2A ${dialect.version} has no way to ask ${peer} for that.`)
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...dialect.versionHeader },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: tenant === undefined ? params : { ...params, tenant },
    }),
    unwrap(json) {
      if (!isJsonObject(json)) throw notA2a(peer)
      if (isJsonObject(json.error)) throw readA2aError(peer, json.error)
      if (json.result === undefined || String(json.id) !== id) throw notA2a(peer)
      return json.result
    },
  }
}

/** HTTP+JSON (spec 11). */
export const httpJson: Binding = (operation, params, { peer, url, dialect, tenant }) => {
  const { id, ...body } = params
  const taskId = typeof id === 'string' ? id : undefined
  const place = dialect.path?.(operation, taskId, tenant)
  if (place === undefined)
    throw new PeerError('peer-refused', `A2A ${dialect.version} over HTTP+JSON has no way to ask ${peer} for that.`)
  const base = url.replace(/\/+$/, '')
  const get = place.method === 'GET'
  return {
    method: place.method,
    url: `${base}${place.path}${get ? queryOf(body) : ''}`,
    headers: { ...(get ? {} : { 'content-type': dialect.mediaType }), ...dialect.versionHeader },
    ...(get ? {} : { body: JSON.stringify(body) }),
    unwrap(json) {
      const error = errorOf(json)
      if (error !== undefined) throw readA2aError(peer, error)
      return json
    },
  }
}

function queryOf(params: JsonObject): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

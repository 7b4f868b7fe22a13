import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json, JsonObject } from '@tenon/kernel'
import type { Access } from '../access/access.js'
import type { AgentFacts } from '../cards/agent-facts.js'
import { buildCard, type CardPlace, hybridCard } from '../cards/build-card.js'
import type { CardSigner } from '../cards/card-signer.js'
import { A2AError } from '../errors.js'
import type { Caller } from '../tasks/caller.js'
import { invalid } from '../tasks/invalid-field.js'
import type { PlacedEvent } from '../tasks/task-events.js'
import type { TaskService } from '../tasks/task-service.js'
import { withTenant } from '../tasks/with-tenant.js'
import { activeExtensions } from './active-extensions.js'
import type { Era, EraMethod } from './era.js'
import { EventWriter, type EventWriterOptions } from './event-writer.js'
import { idOf, readRpc } from './json-rpc.js'
import { type CallFrame, OPERATIONS, type Operation, readRequest } from './operations.js'
import { eraOf } from './protocol-version.js'
import { readBody, refuseDeep } from './read-body.js'
import { queryParams, restRoute } from './rest-routes.js'
import { ERA_0_3_HTTP } from './v0-3/era-0-3-http.js'
import { HTTP_STATUS_COUNTS, restError, rpcError, told } from './wire-errors.js'

export type EndpointOptions = {
  readonly service: TaskService
  /** Where the agent lies, as clients reach it, without a slash at the end. */
  readonly url: string
  readonly access: Access
  readonly signer?: CardSigner
  readonly versions?: readonly Era['version'][]
  /** `host:port` where the same agent is served over gRPC. */
  readonly grpcUrl?: string
  /** Bytes of a request; 1 MiB if absent. */
  readonly bodyLimit?: number
  readonly events?: EventWriterOptions
  /** Told what went wrong inside; clients are not. */
  readonly report?: (error: unknown) => void
}

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
  readonly caller: Caller
  readonly era: Era
}

/** How a binding says what an operation gave. */
type Voice = {
  result(value: Json): { readonly body: Json | undefined; readonly type: string }
  event(value: Json): Json
  error(error: unknown): Json
}

const MIB = 1024 * 1024
const VERSIONS: readonly Era['version'][] = ['1.0', '0.3']
const REST_TYPE = 'application/a2a+json'

/** One agent over JSON-RPC (`/rpc`) and HTTP+JSON (`/rest`), each in every version, with its card. */
export class A2AEndpoint {
  readonly card: JsonObject
  readonly #place: CardPlace
  readonly #made = new Date().toUTCString()
  readonly #documents: ReadonlyMap<'1.0' | '0.3', { readonly body: string; readonly etag: string }>

  constructor(readonly options: EndpointOptions) {
    const { url, access, service, signer, versions = VERSIONS, grpcUrl } = options
    const at = { rpcUrl: `${url}/rpc`, restUrl: `${url}/rest`, ...(grpcUrl === undefined ? {} : { grpcUrl }) }
    this.#place = { ...at, versions, schemes: access.schemes }
    this.card = this.#signed(buildCard(service.exposed, this.#place))
    const hybrid = versions.includes('0.3') ? hybridCard(this.card, this.#place) : this.card
    this.#documents = new Map([
      ['1.0', documentOf(this.card)],
      ['0.3', documentOf(signer === undefined ? hybrid : signer.sign(hybrid))],
    ])
  }

  /** The card, for whoever asks. */
  serveCard(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const named = headerOf(request, 'a2a-version') ?? query.get('A2A-Version') ?? ''
    const { body, etag } = this.#documents.get(named.startsWith('1.') ? '1.0' : '0.3') ?? documentOf(this.card)
    const headers = {
      etag,
      'cache-control': 'public, max-age=3600',
      'last-modified': this.#made,
      vary: 'A2A-Version',
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') empty(response, 405, { allow: 'GET, HEAD' })
    else if (request.headers['if-none-match'] === etag) empty(response, 304, headers)
    else {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
  }

  /** Answers a request whose path, below the agent's own, is `path`. False where that is none of ours. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<boolean> {
    if (path === '/.well-known/agent-card.json') this.serveCard(request, response, query)
    // Clients that join a base address and a path ask with a slash at the end.
    else if (path === '/rpc' || path === '/rpc/') await this.#serveRpc(request, response, query)
    else if (path.startsWith('/rest/')) await this.#serveRest(request, response, path.slice('/rest'.length), query)
    else return false
    return true
  }

  async #serveRpc(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (request.method !== 'POST') return empty(response, 405, { allow: 'POST' })
    let id: Json = null
    const voice: Voice = {
      result: (result) => ({ body: { jsonrpc: '2.0', id, result }, type: 'application/json' }),
      event: (result) => ({ jsonrpc: '2.0', id, result }),
      error: (error) => rpcError(id, error),
    }
    try {
      const caller = await this.options.access.authenticate(request)
      const body = await this.#body(request)
      id = idOf(body)
      const rpc = readRpc(body)
      const era = this.#era(request, query)
      const method = era.methods.get(rpc.method)
      if (method === undefined) throw new A2AError('a2a-method-not-found', 'There is no such method in this version.')
      refuseDeep(rpc.params)
      await this.#answer({ request, response, query, caller, era }, method, rpc.params, undefined, voice)
    } catch (error) {
      this.#fail(response, error, voice.error(error), 'application/json', 200)
    }
  }

  async #serveRest(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> {
    const voice: Voice = {
      result: (body) => ({ body, type: REST_TYPE }),
      event: (body) => body,
      error: (error) => restError(error),
    }
    try {
      const caller = await this.options.access.authenticate(request)
      const named = this.#era(request, query)
      const era = named.version === '0.3' ? ERA_0_3_HTTP : named
      const { tenant, rest } = this.#tenantPath(path)
      const route = restRoute(era.version, request.method ?? '', rest)
      if (route === 'other-verb') return empty(response, 405, {})
      if (route === undefined && era.version === '0.3' && restRoute('1.0', request.method ?? '', rest) !== undefined)
        throw new A2AError('a2a-version-not-supported', 'This path is one of version 1.0: send A2A-Version: 1.0.')
      const method = route && era.methods.get(route.method)
      if (route === undefined || method === undefined)
        throw new A2AError('a2a-no-route', 'There is nothing at this path. The Agent Card says where to ask.')
      const given = route.isQuery ? queryParams(query) : await this.#restBody(request, route.method)
      refuseDeep(given)
      const params =
        typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given, ...route.path } : given
      await this.#answer({ request, response, query, caller, era }, method, params, tenant, voice)
    } catch (error) {
      this.#fail(response, error, voice.error(error), REST_TYPE, told(error).wire.http)
    }
  }

  async #answer(
    exchange: Exchange,
    method: EraMethod,
    given: Json | undefined,
    tenant: string | undefined,
    voice: Voice,
  ): Promise<void> {
    const { request, response, era } = exchange
    const operation: Operation = OPERATIONS[method.operation]
    const { exposed } = this.options.service
    const named = (headerOf(request, era.extensionsHeader) ?? '').split(',').map((uri) => uri.trim())
    const activated = activeExtensions(exposed, new Set(named)).join(', ')
    const params = readRequest(operation, method.params(given))
    const caller = withTenant(exposed, exchange.caller, tenant ?? params.tenant)
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    const frame = this.#frame(exchange, caller, gone.signal)
    const headers = activated === '' ? {} : { [era.extensionsHeader]: activated }
    if ('unary' in operation) {
      const { body, type } = voice.result(
        method.result(await operation.unary(this.options.service, params, frame), params),
      )
      response.writeHead(200, { 'content-type': type, ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
      return
    }
    await this.#stream(operation.stream(this.options.service, params, frame), exchange, voice, headers)
  }

  /** What fails before the first event is an ordinary answer. */
  async #stream(
    items: AsyncIterable<PlacedEvent>,
    { response, era }: Exchange,
    voice: Voice,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const iterator = items[Symbol.asyncIterator]()
    let next = await iterator.next()
    const writer = new EventWriter(response, headers, this.options.events)
    try {
      for (; next.done !== true; next = await iterator.next()) {
        const { data, last } = era.event(next.value)
        await writer.write(voice.event(data), `${next.value.seq}.${next.value.part}`)
        if (last) break
      }
    } catch (error) {
      this.options.report?.(error)
      await writer.write(voice.error(error)).catch(() => undefined)
    } finally {
      await iterator.return?.()
      writer.end()
    }
  }

  #frame({ request, era }: Exchange, caller: Caller, signal: AbortSignal): CallFrame {
    const key = headerOf(request, 'idempotency-key')
    if (key !== undefined && key.length > 256) throw invalid('Idempotency-Key', 'is longer than 256 characters')
    const last = /^(\d{1,15})\.(\d{1,6})$/.exec(headerOf(request, 'last-event-id') ?? '')
    return {
      caller,
      version: era.version,
      signal,
      extendedCard: () => this.extendedCard(caller, era.version),
      ...(key === undefined || key === '' ? {} : { key }),
      ...(last === null ? {} : { after: { seq: Number(last[1]), part: Number(last[2]) } }),
    }
  }

  /** @throws A2AError where there is none, or the caller did not say who it is */
  extendedCard(caller: Caller, version: Era['version']): JsonObject {
    const { extendedCard } = this.options.service.exposed.capabilities
    if (extendedCard === undefined) throw new A2AError('a2a-unsupported-operation', 'This agent has no extended card.')
    if (extendedCard === 'declared')
      throw new A2AError('a2a-extended-card-not-configured', 'The extended card of this agent is not there yet.')
    if (!caller.authenticated)
      throw new A2AError('a2a-unauthenticated', 'The extended card is for those who say who they are.')
    const card = buildCard(this.options.service.exposed, this.#place, extendedCard as AgentFacts)
    return this.#signed(version === '1.0' ? card : hybridCard(card, this.#place))
  }

  #signed(card: JsonObject): JsonObject {
    return this.options.signer?.sign(card) ?? card
  }

  #era(request: IncomingMessage, query: URLSearchParams): Era {
    return eraOf(headerOf(request, 'a2a-version'), query.get('A2A-Version'), this.options.versions ?? VERSIONS)
  }

  #body(request: IncomingMessage): Promise<Json> {
    return readBody(request, this.options.bodyLimit ?? MIB)
  }

  /** Cancel and subscribe have nothing to say in a body, so it may be left out. */
  async #restBody(request: IncomingMessage, method: string): Promise<Json> {
    const isEmpty =
      request.headers['content-length'] === '0' ||
      (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
    if (isEmpty && /Cancel|Subscribe|cancel|resubscribe/.test(method)) return {}
    return this.#body(request)
  }

  /** `/{tenant}/…`, where the first segment is a tenant of this agent. */
  #tenantPath(path: string): { readonly tenant: string | undefined; readonly rest: string } {
    const [, first = ''] = path.split('/', 2)
    const isTenant = this.options.service.exposed.tenants?.includes(first) === true
    return isTenant ? { tenant: first, rest: path.slice(first.length + 1) } : { tenant: undefined, rest: path }
  }

  #fail(response: ServerResponse, thrown: unknown, body: Json, type: string, status: number): void {
    const { error, wire } = told(thrown)
    if (error.code === 'a2a-internal') this.options.report?.(thrown)
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const isChallenge = error.code === 'a2a-unauthenticated'
    response.writeHead(HTTP_STATUS_COUNTS.has(error.code) ? wire.http : status, {
      'content-type': type,
      ...(isChallenge ? { 'www-authenticate': this.options.access.challenge || 'Bearer' } : {}),
      // What is left of a body that is not read would be taken for the next request.
      ...(error.code === 'a2a-body-too-large' ? { connection: 'close' } : {}),
    })
    response.end(JSON.stringify(body))
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function documentOf(card: JsonObject): { readonly body: string; readonly etag: string } {
  const body = JSON.stringify(card)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

function empty(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, headers)
  response.end()
}

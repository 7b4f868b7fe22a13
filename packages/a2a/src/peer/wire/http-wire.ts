import type { Clock, Json, JsonObject, MaybePromise } from '@tenon/kernel'
import type { Door, DoorResponse } from '../../net/door.js'
import { eventStream } from '../../net/event-stream.js'
import { readText } from '../../net/read-text.js'
import type { PeerLimits } from '../peer-limits.js'
import type { PeerEvent, PeerTask } from '../peer-task.js'
import type { Binding, BoundRequest } from './binding.js'
import type { Dialect, Operation, SendWish } from './dialect.js'
import type { PeerWire } from './peer-wire.js'
import { readFailure } from './read-failure.js'
import { notA2a, tooLarge } from './refused-answers.js'

export type WireOptions = {
  readonly peer: string
  readonly url: string
  readonly tenant?: string
  readonly dialect: Dialect
  readonly binding: Binding
  readonly door: Door
  readonly clock: Clock
  readonly limits: PeerLimits
  /** Extensions of the card that we use. */
  readonly extensions: readonly string[]
  /** Looked up for each request, so that a secret stands nowhere in between. */
  readonly credentials?: () => MaybePromise<Readonly<Record<string, string>>>
}

/** The bindings over HTTP: JSON-RPC and HTTP+JSON, in each version. */
export class HttpWire implements PeerWire {
  constructor(readonly options: WireOptions) {}

  async *send(wish: Omit<SendWish, 'tenant'>, streaming: boolean, signal: AbortSignal): AsyncGenerator<PeerEvent> {
    const { dialect, tenant, limits } = this.options
    const params = dialect.sendParams(tenant === undefined ? wish : { ...wish, tenant })
    yield* this.#events(streaming ? 'stream' : 'send', params, limits.sendMs, signal)
  }

  subscribe(taskId: string, signal: AbortSignal): AsyncGenerator<PeerEvent> {
    return this.#events('subscribe', { id: taskId }, this.options.limits.lookMs, signal)
  }

  async get(taskId: string, signal: AbortSignal): Promise<PeerTask> {
    return this.#task(await this.#one('get', { id: taskId }, signal))
  }

  async cancel(taskId: string, signal: AbortSignal): Promise<PeerTask> {
    return this.#task(await this.#one('cancel', { id: taskId }, signal))
  }

  list(params: JsonObject, signal: AbortSignal): Promise<Json> {
    return this.#one('list', params, signal)
  }

  async #one(operation: Operation, params: JsonObject, signal: AbortSignal): Promise<Json> {
    const bound = this.#bind(operation, params)
    const response = await this.#open(bound, 'application/json', this.options.limits.lookMs, signal)
    return bound.unwrap(await this.#json(response))
  }

  #task(json: Json): PeerTask {
    const task = this.options.dialect.readTask(json)
    if (task === undefined) throw notA2a(this.options.peer)
    return task
  }

  async *#events(
    operation: Operation,
    params: JsonObject,
    withinMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<PeerEvent> {
    const { dialect, limits } = this.options
    const bound = this.#bind(operation, params)
    const accept = operation === 'send' ? 'application/json' : 'text/event-stream, application/json'
    const response = await this.#open(bound, accept, withinMs, signal)
    const read = (json: Json): PeerEvent | undefined => dialect.readEvent(bound.unwrap(json))
    if (!/^text\/event-stream\b/i.test(response.header('content-type') ?? '')) {
      const event = read(await this.#json(response))
      if (event === undefined) throw notA2a(this.options.peer)
      yield event
      return
    }
    try {
      for await (const data of eventStream(response.body, limits, () => tooLarge(this.options))) {
        const event = read(this.#parse(data))
        // An event of a kind that we do not know is no reason to lose the ones that we do.
        if (event !== undefined) yield event
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : this.options.door.told(error)
    } finally {
      response.close()
    }
  }

  #bind(operation: Operation, params: JsonObject): BoundRequest {
    const { binding, peer, url, dialect, tenant } = this.options
    return binding(operation, params, { peer, url, dialect, ...(tenant === undefined ? {} : { tenant }) })
  }

  async #open(bound: BoundRequest, accept: string, withinMs: number, signal: AbortSignal): Promise<DoorResponse> {
    const { door, clock, peer, credentials, extensions, dialect } = this.options
    const used = extensions.length === 0 ? {} : { [dialect.extensionsHeader]: extensions.join(', ') }
    const headers = { accept, ...used, ...bound.headers, ...(await credentials?.()) }
    const response = await door.open({ ...bound, headers, withinMs, signal })
    if (response.status >= 200 && response.status < 300) return response
    const body = (await this.#text(response, FAILURE_BYTES).catch(() => undefined)) ?? ''
    throw readFailure(peer, response, body, clock.now())
  }

  async #json(response: DoorResponse): Promise<Json> {
    const body = await this.#text(response, this.options.limits.responseBytes)
    if (body === undefined) throw tooLarge(this.options)
    return this.#parse(body)
  }

  #text(response: DoorResponse, mostBytes: number): Promise<string | undefined> {
    const { clock, peer, limits } = this.options
    return readText(response, { mostBytes, withinMs: limits.lookMs, clock, peer })
  }

  #parse(text: string): Json {
    try {
      return JSON.parse(text) as Json
    } catch {
      throw notA2a(this.options.peer)
    }
  }
}

const FAILURE_BYTES = 64 * 1024

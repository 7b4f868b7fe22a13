import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk'
import { A2AService } from '@a2a-js/sdk/server/grpc'
import { type ClientUnaryCall, Metadata, type ServiceError } from '@grpc/grpc-js'
import type { Json, JsonObject } from '@tenon/kernel'
import { PeerError } from '../peer-error.js'
import type { PeerEvent, PeerTask } from '../peer-task.js'
import type { Operation, SendWish } from '../wire/dialect.js'
import { DIALECT_1_0 } from '../wire/dialect-1-0.js'
import type { WireOptions } from '../wire/http-wire.js'
import type { PeerWire } from '../wire/peer-wire.js'
import { notA2a, tooLarge } from '../wire/refused-answers.js'
import type { GrpcAddress } from './grpc-address.js'
import type { GrpcDoor } from './grpc-door.js'
import { grpcFailure } from './grpc-failure.js'

export type GrpcWireOptions = Omit<WireOptions, 'url' | 'dialect' | 'binding' | 'door'> & {
  readonly at: GrpcAddress
  readonly door: GrpcDoor
}

type Codec = { fromJSON(json: unknown): unknown; toJSON(message: never): unknown }

const CALLS: Readonly<Record<Operation, { readonly rpc: keyof typeof A2AService; request: Codec; response: Codec }>> = {
  send: { rpc: 'sendMessage', request: SendMessageRequest, response: SendMessageResponse },
  stream: { rpc: 'sendStreamingMessage', request: SendMessageRequest, response: StreamResponse },
  get: { rpc: 'getTask', request: GetTaskRequest, response: Task },
  subscribe: { rpc: 'subscribeToTask', request: SubscribeToTaskRequest, response: StreamResponse },
  cancel: { rpc: 'cancelTask', request: CancelTaskRequest, response: Task },
  list: { rpc: 'listTasks', request: ListTasksRequest, response: ListTasksResponse },
}

/** gRPC (spec 10), version 1.0. What comes is read by its JSON, so that it is held to the same as the other bindings. */
export class GrpcWire implements PeerWire {
  constructor(readonly options: GrpcWireOptions) {}

  async *send(wish: Omit<SendWish, 'tenant'>, streaming: boolean, signal: AbortSignal): AsyncGenerator<PeerEvent> {
    const { tenant, limits } = this.options
    const params = DIALECT_1_0.sendParams(tenant === undefined ? wish : { ...wish, tenant })
    if (streaming) yield* this.#events('stream', params, limits.sendMs, signal)
    else yield this.#event(await this.#unary('send', params, limits.sendMs, signal))
  }

  subscribe(taskId: string, signal: AbortSignal): AsyncGenerator<PeerEvent> {
    return this.#events('subscribe', { id: taskId }, this.options.limits.lookMs, signal)
  }

  async get(taskId: string, signal: AbortSignal): Promise<PeerTask> {
    return this.#task(await this.#unary('get', { id: taskId }, this.options.limits.lookMs, signal))
  }

  async cancel(taskId: string, signal: AbortSignal): Promise<PeerTask> {
    return this.#task(await this.#unary('cancel', { id: taskId }, this.options.limits.lookMs, signal))
  }

  list(params: JsonObject, signal: AbortSignal): Promise<Json> {
    return this.#unary('list', params, this.options.limits.lookMs, signal)
  }

  async #unary(operation: Operation, params: JsonObject, withinMs: number, signal: AbortSignal): Promise<Json> {
    const { request, rpc, read } = await this.#prepared(operation, params)
    const { client, metadata } = await this.#channel()
    const stop = this.#stopWith(signal, withinMs)
    try {
      return await new Promise<Json>((resolve, reject) => {
        const { path, requestSerialize } = A2AService[rpc]
        const serialize = requestSerialize as (message: unknown) => Buffer
        const call: ClientUnaryCall = client.makeUnaryRequest(
          path,
          serialize,
          read,
          request,
          metadata,
          (error, value) => (error === null && value !== undefined ? resolve(value.json) : reject(error)),
        )
        stop.with(() => call.cancel())
      })
    } catch (error) {
      throw this.#told(error, stop.reason)
    } finally {
      stop.over()
    }
  }

  async *#events(
    operation: Operation,
    params: JsonObject,
    withinMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<PeerEvent> {
    const { request, rpc, read } = await this.#prepared(operation, params)
    const { client, metadata } = await this.#channel()
    const stop = this.#stopWith(signal, withinMs)
    const { path, requestSerialize } = A2AService[rpc]
    const serialize = requestSerialize as (message: unknown) => Buffer
    const call = client.makeServerStreamRequest(path, serialize, read, request, metadata)
    stop.with(() => call.cancel())
    let bytes = 0
    try {
      for await (const { json, length } of call as AsyncIterable<Read>) {
        stop.began()
        bytes += length
        if (bytes > this.options.limits.responseBytes) throw tooLarge(this.options)
        const event = DIALECT_1_0.readEvent(json)
        if (event !== undefined) yield event
      }
    } catch (error) {
      throw this.#told(error, stop.reason)
    } finally {
      stop.over()
      // What is canceled under nobody's eyes still tells its error.
      call.on('error', () => undefined)
      call.cancel()
    }
  }

  async #prepared(operation: Operation, params: JsonObject) {
    const { tenant } = this.options
    const { rpc, request, response } = CALLS[operation]
    const { responseDeserialize } = A2AService[rpc]
    const read = (buffer: Buffer): Read => ({
      json: response.toJSON(responseDeserialize(buffer) as never) as Json,
      length: buffer.length,
    })
    return { rpc, read, request: request.fromJSON(tenant === undefined ? params : { ...params, tenant }) }
  }

  async #channel() {
    const { door, at, credentials, extensions } = this.options
    const metadata = new Metadata()
    for (const [name, value] of Object.entries({ ...DIALECT_1_0.versionHeader, ...(await credentials?.()) }))
      metadata.set(name.toLowerCase(), value)
    if (extensions.length > 0) metadata.set(DIALECT_1_0.extensionsHeader, extensions.join(', '))
    return { client: await door.client(at), metadata }
  }

  /** Ends a call when its caller stops it, or when nothing has come in time. */
  #stopWith(signal: AbortSignal, withinMs: number) {
    const { clock, peer } = this.options
    let cancel = (): void => undefined
    let reason: unknown
    const leave = (why: unknown): void => {
      reason ??= why
      cancel()
    }
    const onAbort = (): void => leave(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const late = new PeerError('peer-unavailable', `${peer} did not begin to answer in time.`, { mayHaveRun: true })
    const forget = clock.after(withinMs, () => leave(late))
    return {
      get reason(): unknown {
        return reason
      },
      with(how: () => void): void {
        cancel = how
        if (reason !== undefined) how()
      },
      began: forget,
      over(): void {
        forget()
        signal.removeEventListener('abort', onAbort)
      },
    }
  }

  #told(error: unknown, reason: unknown): unknown {
    if (reason !== undefined) return reason
    if (!isServiceError(error)) return error
    const { peer, door, at } = this.options
    const failure = grpcFailure(peer, error)
    if (failure.code === 'peer-unavailable') door.forget(at)
    return failure
  }

  #event(json: Json): PeerEvent {
    const event = DIALECT_1_0.readEvent(json)
    if (event === undefined) throw notA2a(this.options.peer)
    return event
  }

  #task(json: Json): PeerTask {
    const task = DIALECT_1_0.readTask(json)
    if (task === undefined) throw notA2a(this.options.peer)
    return task
  }
}

/** A message as JSON, with the bytes that it had. */
type Read = { readonly json: Json; readonly length: number }

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && typeof (error as Partial<ServiceError>).code === 'number' && 'details' in error

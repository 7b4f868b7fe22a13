import { randomUUID } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError, rpcError } from '../../errors.js'
import { requireCapability } from '../client-capability.js'
import { RPC } from '../rpc-reply.js'
import type { McpService, ServedCall } from '../service.js'
import type { SealBinding, StateSeal } from '../state-seal.js'

/** The request that a call is being answered through at this moment. */
export type Attachment = Pick<ServedCall, 'progress' | 'log' | 'signal'>

type Question = {
  readonly method: string
  readonly params: JsonObject
  readonly answered: (answer: JsonObject) => void
  readonly failed: (error: unknown) => void
}

type OpenCall = {
  readonly id: string
  readonly stop: AbortController
  readonly questions: Map<string, Question>
  readonly finished: Promise<JsonObject>
  attached: Attachment | undefined
  round: number
  /** Wakes whoever waits for the next thing to happen. */
  asked: () => void
  timer: NodeJS.Timeout | undefined
}

type Sealed = { readonly held: string; readonly round: number } | { readonly own: string }

/**
 * Carries calls over several requests of a modern client. Where the service asks during a call, the client gets
 * `input_required` and the call stays open here; its next request finds it by a sealed state. Where the service ends
 * a round by itself, its state is sealed and opened on the way.
 */
export class OpenCalls {
  readonly #service: McpService
  readonly #seal: StateSeal
  readonly #holdMs: number
  readonly #max: number
  readonly #open = new Map<string, OpenCall>()

  constructor(
    service: McpService,
    seal: StateSeal,
    limits: { readonly holdMs: number; readonly maxOpenCalls: number },
  ) {
    this.#service = service
    this.#seal = seal
    this.#holdMs = limits.holdMs
    this.#max = limits.maxOpenCalls
  }

  /** Answers one request: with the result of the call, or with what the client must answer first. */
  async serve(request: Omit<ServedCall, 'ask'> & { readonly params: JsonObject }): Promise<JsonObject> {
    const { inputResponses, requestState, ...params } = request.params
    const binding = { principal: request.caller.principal, method: request.method, params }
    const state = typeof requestState === 'string' ? (this.#seal.open(requestState, binding) as Sealed) : undefined
    const responses = isJsonObject(inputResponses) ? inputResponses : undefined
    if (state !== undefined && 'held' in state) return this.#goOn(state, responses ?? {}, request, binding)
    return this.#begin(
      {
        ...request,
        params,
        ...(responses === undefined ? {} : { inputResponses: responses }),
        ...(state === undefined ? {} : { requestState: state.own }),
      },
      binding,
    )
  }

  /** Ends every call that waits for its client. */
  close(): void {
    for (const call of this.#open.values()) this.#drop(call, new McpError('mcp-closed', 'The server is closing.'))
  }

  async #begin(request: Omit<ServedCall, 'ask'>, binding: SealBinding): Promise<JsonObject> {
    let call: OpenCall | undefined
    let wake = (): void => undefined
    const asked = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined)
    })
    const stop = new AbortController()
    const onAbort = (): void => stop.abort(request.signal.reason)
    if (request.signal.aborted) onAbort()
    else request.signal.addEventListener('abort', onAbort, { once: true })
    const attached = (): Attachment | undefined => (call === undefined ? request : call.attached)
    const { progress } = request
    const served: ServedCall = {
      ...request,
      signal: stop.signal,
      ...(progress === undefined ? {} : { progress: (step) => attached()?.progress?.(step) }),
      log: (...message) => attached()?.log(...message),
      ask: async (method, params, signal) => {
        requireCapability(method, params, request.caller.capabilities)
        call ??= this.#hold(stop, finished, request)
        const answer = this.#question(call, method, params, signal)
        wake()
        return answer
      },
    }
    // Deferred, so that a service which asks at once finds the promise of its own call.
    const finished = Promise.resolve().then(() => this.#service.request(served))
    try {
      const result = await Promise.race([finished, asked])
      if (result !== undefined) return this.#sealed(result, binding, request)
      return await this.#settle(call, finished, binding, request)
    } finally {
      request.signal.removeEventListener('abort', onAbort)
    }
  }

  async #goOn(
    state: { readonly held: string; readonly round: number },
    responses: JsonObject,
    request: Omit<ServedCall, 'ask'>,
    binding: SealBinding,
  ): Promise<JsonObject> {
    const call = this.#open.get(state.held)
    if (call === undefined || call.round !== state.round || call.attached !== undefined)
      throw rpcError(RPC.invalidParams, 'The call that this answers is not open any more. Make it again.', {
        reason: 'call_not_open',
      })
    clearTimeout(call.timer)
    call.attached = request
    const onAbort = (): void => this.#drop(call, request.signal.reason)
    request.signal.addEventListener('abort', onAbort, { once: true })
    try {
      for (const [key, question] of [...call.questions]) {
        const answer = responses[key]
        if (!isJsonObject(answer)) continue
        call.questions.delete(key)
        question.answered(answer)
      }
      return await this.#settle(call, call.finished, binding, request)
    } finally {
      request.signal.removeEventListener('abort', onAbort)
    }
  }

  /** Waits until the call has ended or nothing but answers of the client can move it. */
  async #settle(
    call: OpenCall | undefined,
    finished: Promise<JsonObject>,
    binding: SealBinding,
    request: Omit<ServedCall, 'ask'>,
  ): Promise<JsonObject> {
    if (call === undefined) return this.#sealed(await finished, binding, request)
    for (;;) {
      if (call.questions.size > 0) {
        // Questions that are asked together are told together.
        await new Promise((resolve) => setImmediate(resolve))
        if (call.questions.size > 0) return this.#detach(call, binding)
      }
      const result = await Promise.race([
        finished,
        new Promise<undefined>((resolve) => {
          call.asked = () => resolve(undefined)
        }),
      ])
      if (result !== undefined) return this.#sealed(result, binding, request)
    }
  }

  #hold(stop: AbortController, finished: Promise<JsonObject>, attached: Attachment): OpenCall {
    if (this.#open.size >= this.#max)
      throw rpcError(RPC.server, 'Too many calls wait for their clients. Try again later.')
    const call: OpenCall = {
      id: randomUUID(),
      stop,
      questions: new Map(),
      finished,
      attached,
      round: 0,
      asked: () => undefined,
      timer: undefined,
    }
    this.#open.set(call.id, call)
    const forget = (): void => {
      clearTimeout(call.timer)
      this.#open.delete(call.id)
    }
    finished.then(forget, forget)
    return call
  }

  #question(call: OpenCall, method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const key = `q${call.round}-${call.questions.size + 1}-${randomUUID().slice(0, 8)}`
    return new Promise<JsonObject>((answered, failed) => {
      call.questions.set(key, { method, params, answered, failed })
      signal?.addEventListener(
        'abort',
        () => {
          call.questions.delete(key)
          failed(signal.reason)
        },
        { once: true },
      )
      call.asked()
    })
  }

  /** The client is told what to answer; the call waits for it, but not for ever. */
  #detach(call: OpenCall, binding: SealBinding): JsonObject {
    call.round++
    call.attached = undefined
    call.timer = setTimeout(
      () => this.#drop(call, new McpError('mcp-timeout', 'The client did not come back with an answer.')),
      this.#holdMs,
    )
    call.timer.unref()
    const inputRequests: Record<string, JsonObject> = {}
    for (const [key, { method, params }] of call.questions) inputRequests[key] = { method, params }
    const requestState = this.#seal.seal({ held: call.id, round: call.round }, binding)
    return { resultType: 'input_required', inputRequests, requestState }
  }

  #drop(call: OpenCall, reason: unknown): void {
    clearTimeout(call.timer)
    this.#open.delete(call.id)
    for (const { failed } of call.questions.values()) failed(reason)
    call.questions.clear()
    call.stop.abort(reason)
    call.finished.catch(() => undefined)
  }

  /** What a service's own round asks must be something that this client can be asked; its state goes out sealed. */
  #sealed(result: JsonObject, binding: SealBinding, { caller }: Pick<ServedCall, 'caller'>): JsonObject {
    if (result.resultType !== 'input_required') return result
    const requests = isJsonObject(result.inputRequests) ? result.inputRequests : {}
    for (const question of Object.values(requests) as readonly Json[])
      if (isJsonObject(question) && typeof question.method === 'string')
        requireCapability(question.method, isJsonObject(question.params) ? question.params : {}, caller.capabilities)
    const { requestState } = result
    if (typeof requestState !== 'string') return result
    return { ...result, requestState: this.#seal.seal({ own: requestState }, binding) }
  }
}

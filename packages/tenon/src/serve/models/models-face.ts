import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, isTenonError, type JsonObject } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Gate } from '../gate.js'
import type { HttpFace } from '../http-site.js'
import { publicAgentNames } from '../public-agent-names.js'
import { readJsonBody } from '../run-api/read-json-body.js'
import { agentOfModel, modelOfAgent } from './agent-model.js'
import { chat } from './chat.js'
import type { Exchange } from './exchange.js'
import { answerOpenAiError } from './openai-error.js'
import { cancelResponse, createResponse, showResponse } from './responses.js'
import { SentAgain } from './sent-again.js'
import { ToldTexts } from './told-texts.js'

export type ModelsFaceOptions = {
  readonly host: Host
  readonly gate: Gate
  /** Where clients reach this server, without a slash at the end. */
  readonly url: string
  readonly report: (error: unknown) => void
}

type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  answer(exchange: Exchange, id: string, query: URLSearchParams): Promise<void> | void
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
  { method: 'GET', path: /^\/v1\/models\/([^/]+)$/, answer: showModel },
  { method: 'POST', path: /^\/v1\/chat\/completions$/, answer: chat },
  { method: 'POST', path: /^\/v1\/responses$/, answer: createResponse },
  { method: 'GET', path: /^\/v1\/responses\/([^/]+)$/, answer: showResponse },
  { method: 'POST', path: /^\/v1\/responses\/([^/]+)\/cancel$/, answer: cancelResponse },
]

const BODY_LIMIT = 1024 * 1024

/**
 * Public agents as models of the OpenAI API, each `agent:NAME`. A request is a run; what a client sends besides the
 * user's last words and answers by id is not read.
 */
export function modelsFace({ host, gate, url, report }: ModelsFaceOptions): HttpFace {
  const told = new ToldTexts(host)
  const again = new SentAgain()
  const stop = new AbortController()

  async function answer(asked: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fitting = ROUTES.filter(({ path }) => path.test(asked.pathname))
    const route = fitting.find(({ method }) => method === request.method)
    const caller = await gate.admit(request, 'models').catch((error) => {
      if (isTenonError(error) && error.code === 'unauthenticated')
        response.setHeader('www-authenticate', gate.challenge)
      throw error
    })
    if (fitting.length === 0) throw new HostError('path-unknown', 'There is nothing at this path.')
    if (route === undefined) {
      const known = fitting.map(({ method }) => method).join(', ')
      response.setHeader('allow', known)
      throw new HostError('method-unknown', `This path answers to ${known}.`)
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, stop.signal])
    const body = await bodyOf(request)
    // Not for a client that has gone before.
    response.once('finish', () => again.forget(caller, body))
    const retryCount = request.headers['x-stainless-retry-count']?.toString()
    const exchange = { host, told, again, retryCount, caller, body, response, signal, stopping: stop.signal }
    await route.answer(exchange, decoded(route.path.exec(asked.pathname)?.[1] ?? ''), asked.searchParams)
  }

  /** Not every POST has something to say: to cancel, the path is enough. */
  async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
    const isEmpty =
      request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined
    if (request.method !== 'POST' || isEmpty || request.headers['content-length'] === '0') return {}
    const body = await readJsonBody(request, host.config.serve?.bodyLimit ?? BODY_LIMIT)
    if (isJsonObject(body)) return body
    throw new HostError('request-invalid', 'The body is a JSON object.')
  }

  return {
    addresses: [`${url}/v1`],
    async serve(request, response) {
      const asked = new URL(request.url ?? '/', 'http://host')
      if (!asked.pathname.startsWith('/v1/')) return false
      try {
        await answer(asked, request, response)
      } catch (error) {
        // What is left of a body that was refused is not waited for.
        if (!request.complete) response.setHeader('connection', 'close')
        if (!answerOpenAiError(response, error)) report(error)
      }
      return true
    },
    leave: () => stop.abort(),
    close: async () => stop.abort(),
  }
}

function listModels({ host, response }: Exchange): void {
  const data = publicAgentNames(host.config).map(modelEntry)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
}

function showModel({ host, response }: Exchange, id: string): void {
  const entry = modelEntry(agentOfModel(host, id))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(entry))
}

const modelEntry = (agent: string): JsonObject => ({
  id: modelOfAgent(agent),
  object: 'model',
  created: 0,
  owned_by: 'tenon',
})

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

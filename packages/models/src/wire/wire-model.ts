import type { Author, JsonObject, Model, ModelContext, ModelEvent, ModelRequest, Prices } from '@tenon/kernel'
import { errorRecord, isTenonError } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { AnswerContext, AnswerReader, ReadUsage } from './answer-state.js'
import { exchange, failed } from './exchange.js'
import type { Patience } from './stall-timer.js'
import { PATIENCE } from './stall-timer.js'
import type { ToolNames } from './tool-names.js'
import { toolNames } from './tool-names.js'
import { fetchTransport, httpTransport } from './transport.js'

/** How a model behind a provider's API is reached. The same for every dialect. */
export type WireOptions = {
  /** The provider's short name; it decides which quirks apply, and stands in every block as its author. */
  readonly provider: string
  readonly model: string
  /** Up to and with the version: `https://api.openai.com/v1`. A query string is kept. */
  readonly baseUrl: string
  /** A key, or how to get it: asked at each request and kept nowhere. */
  readonly apiKey?: string | (() => string | Promise<string>)
  /** Added to every request; they win over the dialect's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** 128,000 if absent. */
  readonly contextWindow?: number
  readonly prices?: Prices
  readonly patience?: Partial<Patience>
  /** In place of Node's own HTTP client. */
  readonly fetch?: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now?: () => number
}

/** What a dialect adds to the common way of asking a model. */
export type WireDialect = {
  readonly name: string
  /** Where its requests go, under the base address. */
  readonly path: string
  readonly streamAsked: boolean
  readonly thinkTags: AnswerContext['thinkTags']
  write(request: ModelRequest, self: Author, names: ToolNames): JsonObject
  reader(context: AnswerContext): AnswerReader
  readonly usage: ReadUsage
  headers(key: string | undefined): Readonly<Record<string, string>>
}

export function wireModel(options: WireOptions, dialect: WireDialect): Model {
  const { provider, model } = options
  const author: Author = Object.freeze({ provider, model, dialect: dialect.name })
  return Object.freeze({
    author,
    contextWindow: options.contextWindow ?? 128_000,
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    generate: (request: ModelRequest, context: ModelContext) => generate(options, dialect, author, request, context),
  })
}

async function* generate(
  options: WireOptions,
  dialect: WireDialect,
  author: Author,
  request: ModelRequest,
  { signal }: ModelContext,
): AsyncGenerator<ModelEvent> {
  let call: Parameters<typeof exchange>[0]
  try {
    const tools = toolNames(request.tools.map((tool) => tool.name))
    const given = typeof options.apiKey === 'function' ? await options.apiKey() : options.apiKey
    // Keys are often read from files, with the line's end.
    const key = given?.trim() || undefined
    call = {
      provider: options.provider,
      url: endpoint(options.baseUrl, dialect.path),
      headers: { 'content-type': 'application/json', ...dialect.headers(key), ...lowerCase(options.headers ?? {}) },
      body: JSON.stringify(dialect.write(request, author, tools)),
      streamAsked: dialect.streamAsked,
      reader: dialect.reader({ author, tools, thinkTags: dialect.thinkTags }),
      usage: dialect.usage,
      transport: options.fetch === undefined ? httpTransport : fetchTransport(options.fetch),
      patience: { ...PATIENCE, ...options.patience },
      now: options.now ?? Date.now,
      ...(key === undefined ? {} : { secret: key }),
      signal,
    }
  } catch (thrown) {
    yield failed(errorRecord(isTenonError(thrown) ? thrown : unwritable(options.provider, thrown)))
    return
  }
  yield* exchange(call)
}

/** @throws ModelsError `wrong-endpoint` if the base address is none. */
function endpoint(baseUrl: string, path: string): string {
  if (!URL.canParse(baseUrl))
    throw new ModelsError(
      'wrong-endpoint',
      `The base address ${JSON.stringify(baseUrl)} is no URL; it looks like https://host/v1.`,
    )
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url.href
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function unwritable(provider: string, cause: unknown): ModelsError {
  return new ModelsError('invalid-request', `The request to ${provider} could not be written.`, { cause })
}

import type { Author, ErrorRecord, Model, ModelContext, ModelEvent, ModelRequest, Prices } from '@tenon/kernel'
import { errorRecord, isJsonObject } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { outputPrompt } from '../wire/output-prompt.js'
import { PATIENCE, type Patience, StallTimer } from '../wire/stall-timer.js'
import { type ToolNames, toolNames } from '../wire/tool-names.js'
import { aiSdkError } from './ai-sdk-error.js'
import { aiSdkPrompt } from './ai-sdk-prompt.js'
import { AiSdkReader } from './ai-sdk-reader.js'
import type { AiSdkLanguageModel, AnswerPart, CallOptions, ProviderMetadata } from './ai-sdk-types.js'

export type FromAiSdkOptions = {
  /** Tokens that fit into one request: no specification tells it. 128,000 if absent. */
  readonly contextWindow?: number
  readonly prices?: Prices
  /** Given to the provider with every request: `{ anthropic: { thinking: … } }`. */
  readonly providerOptions?: ProviderMetadata
  readonly headers?: Readonly<Record<string, string>>
  readonly patience?: Partial<Patience>
}

/**
 * Any language model of the Vercel AI SDK, of specification 2, 3 or 4, as a model of ours. Only the provider layer is
 * used; the SDK's own loop and retries are not.
 *
 * @throws ModelsError `model-unknown` for a version that is not known.
 */
export function fromAiSdk(model: AiSdkLanguageModel, options: FromAiSdkOptions = {}): Model {
  const version: string = model.specificationVersion
  if (version !== 'v2' && version !== 'v3' && version !== 'v4')
    throw new ModelsError(
      'model-unknown',
      `AI SDK models of specification v2, v3 and v4 are known; this one says ${version}.`,
    )
  const author: Author = Object.freeze({ provider: model.provider, model: model.modelId, dialect: 'ai-sdk' })
  return {
    author,
    contextWindow: options.contextWindow ?? 128_000,
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    generate: (request, context) => generate(model, author, options, request, context),
  }
}

async function* generate(
  model: AiSdkLanguageModel,
  author: Author,
  options: FromAiSdkOptions,
  request: ModelRequest,
  { signal }: ModelContext,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return
  const names = toolNames(request.tools.map((tool) => tool.name))
  const reader = new AiSdkReader(author, names)
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let stalled: ErrorRecord | undefined
  const timer = new StallTimer({ ...PATIENCE, ...options.patience }, model.doStream !== undefined, (stall) => {
    if (stall !== 'after-done') stalled = stallError(author.provider, stall)
    stop.abort()
  })
  let broken: ErrorRecord | undefined
  try {
    const call = await callOptions(model, author, options, request, names, stop.signal)
    for await (const part of partsOf(model, call, stop.signal)) {
      if (signal.aborted) return
      if (part.kind === 'whole') yield* reader.readWhole(part.result)
      else {
        if (isProgress(part.part)) timer.progressed()
        yield* reader.read(part.part)
      }
      if (reader.isOver) timer.done()
    }
  } catch (thrown) {
    broken = stalled ?? aiSdkError(thrown, author.provider)
  } finally {
    timer.stop()
    signal.removeEventListener('abort', abort)
    // Also when whoever reads stops reading: the request must not go on for nobody.
    stop.abort()
  }
  if (!signal.aborted) yield* reader.end(reader.isOver ? undefined : (stalled ?? broken))
}

const isProgress = ({ type }: AnswerPart): boolean => type !== 'raw' && type !== 'ping' && type !== 'stream-start'

type Answer =
  | { readonly kind: 'part'; readonly part: AnswerPart }
  | { readonly kind: 'whole'; readonly result: Readonly<Record<string, unknown>> }

/** Streams where the model can; otherwise asks for the whole answer. */
async function* partsOf(model: AiSdkLanguageModel, call: CallOptions, signal: AbortSignal): AsyncGenerator<Answer> {
  // The specifications differ in details of types that `callOptions` takes care of by version.
  const given = call as never
  let stream: ReadableStream<unknown> | undefined
  try {
    stream = (await untilAborted(Promise.resolve(model.doStream?.(given)), signal))?.stream
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'AI_UnsupportedFunctionalityError') throw thrown
  }
  if (stream === undefined) {
    const result = await untilAborted(Promise.resolve(model.doGenerate(given)), signal)
    yield { kind: 'whole', result: { ...result } }
    return
  }
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal)
      if (done) return
      if (isJsonObject(value) && typeof value.type === 'string')
        yield { kind: 'part', part: value as unknown as AnswerPart }
    }
  } finally {
    // Without this an unread rest would hold the connection.
    reader.cancel().catch(() => {})
  }
}

/** A provider that does not look at its signal must not hold the run. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function callOptions(
  model: AiSdkLanguageModel,
  self: Author,
  options: FromAiSdkOptions,
  request: ModelRequest,
  names: ToolNames,
  abortSignal: AbortSignal,
): Promise<CallOptions> {
  const { settings, tools, toolChoice, output } = request
  const version = model.specificationVersion
  // With tools several providers would turn the shape into one more tool that must be called.
  const told = output !== undefined && tools.length > 0 ? outputPrompt(request, output.schema) : request
  const prompt = aiSdkPrompt(told, { version, self, names, urls: (await model.supportedUrls) ?? {} })
  const reasoning = settings.reasoning === 'off' ? 'none' : settings.reasoning
  return {
    prompt,
    abortSignal,
    ...(settings.maxOutputTokens === undefined ? {} : { maxOutputTokens: settings.maxOutputTokens }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined ? {} : { topP: settings.topP }),
    ...(settings.stop === undefined ? {} : { stopSequences: settings.stop }),
    ...(reasoning === undefined || version !== 'v4' ? {} : { reasoning }),
    ...(output === undefined || tools.length > 0
      ? {}
      : { responseFormat: { type: 'json' as const, schema: output.schema, name: output.name } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: 'function' as const,
            name: names.toWire(tool.name),
            description: tool.description,
            inputSchema: tool.input,
          })),
          toolChoice:
            typeof toolChoice === 'string'
              ? { type: toolChoice }
              : { type: 'tool' as const, toolName: names.toWire(toolChoice.name) },
        }),
    ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
  }
}

function stallError(provider: string, stall: 'first' | 'between'): ErrorRecord {
  return errorRecord(
    stall === 'first'
      ? new ModelsError('timeout', `${provider} gave no sign of an answer in time. Try again or allow more time.`)
      : new ModelsError('stream-stalled', `The answer of ${provider} stopped coming; what came is kept. Try again.`),
  )
}

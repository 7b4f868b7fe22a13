import type {
  Llama,
  LlamaCallChunk,
  LlamaChat,
  LlamaGenerateOptions,
  LlamaModel,
  LlamaModule,
  LlamaResponse,
  LlamaSequence,
} from './llama-types.js'
import type { ChatItem, GenerateJob, LoadJob, WorkerEnd } from './worker-protocol.js'

export type Overflow = { readonly kind: 'overflow'; readonly tokens: number; readonly contextSize: number }
export type SessionEnd = WorkerEnd & { readonly kind: 'ended' }

export type SessionListener = {
  reading(): void
  piece(part: 'text' | 'thought', text: string): void
  callPiece(chunk: LlamaCallChunk): void
}

/** A loaded model with one context, which keeps what consecutive requests have in common. Lives as long as its process. */
export class LlamaSession {
  private constructor(
    readonly contextSize: number,
    private readonly llama: Llama,
    private readonly model: LlamaModel,
    private readonly sequence: LlamaSequence,
    private readonly chat: LlamaChat,
  ) {}

  static async load(module: LlamaModule, job: LoadJob): Promise<LlamaSession> {
    const llama = await module.getLlama({
      gpu: job.gpu ? 'auto' : false,
      // A build would fetch sources from the network behind the user's back.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      maxThreads: job.threads,
    })
    const model = await llama.loadModel({ modelPath: job.weights })
    // More threads than cores for arithmetic only wait for one another.
    const threads = Math.min(job.threads, llama.cpuMathCores)
    const context = await model.createContext({ contextSize: job.contextSize, threads })
    const sequence = context.getSequence()
    return new LlamaSession(
      context.contextSize,
      llama,
      model,
      sequence,
      new module.LlamaChat({ contextSequence: sequence }),
    )
  }

  async generate(job: GenerateJob, signal: AbortSignal, listener: SessionListener): Promise<SessionEnd | Overflow> {
    const functions = job.mode.kind === 'functions' ? job.mode.functions : undefined
    const tokens = this.countTokens(job.history, functions)
    if (tokens >= this.contextSize) return { kind: 'overflow', tokens, contextSize: this.contextSize }
    const full = new AbortController()
    let reasoning = 0
    const options: LlamaGenerateOptions = {
      signal: AbortSignal.any([signal, full.signal]),
      stopOnAbortSignal: true,
      temperature: job.temperature,
      topP: job.topP,
      ...(job.maxTokens === undefined ? {} : { maxTokens: job.maxTokens }),
      ...(job.stop.length === 0 ? {} : { customStopTriggers: job.stop }),
      ...(job.thoughtTokens === undefined ? {} : { budgets: { thoughtTokens: job.thoughtTokens } }),
      contextShift: {
        // The library would drop the oldest messages here, silently. The host decides what is left out, so: stop.
        strategy: ({ chatHistory }) => {
          full.abort()
          return { chatHistory }
        },
      },
      onResponseChunk: (chunk) => {
        const thought = chunk.type === 'segment'
        if (thought) reasoning += chunk.tokens.length
        if (chunk.text !== '') listener.piece(thought ? 'thought' : 'text', chunk.text)
      },
      ...(job.mode.kind === 'shaped' ? { grammar: await this.llama.createGrammarForJsonSchema(job.mode.schema) } : {}),
      ...(job.mode.kind !== 'functions'
        ? {}
        : {
            functions: job.mode.functions,
            documentFunctionParams: true,
            ...(job.mode.parallel ? {} : { maxParallelFunctionCalls: 1 }),
            onFunctionCallParamsChunk: (chunk) => listener.callPiece(chunk),
          }),
    }
    const before = this.sequence.tokenMeter.getState()
    let response: LlamaResponse
    const watch = this.watchReading(listener)
    try {
      signal.throwIfAborted()
      response = await this.chat.generateResponse(job.history, options)
    } catch (error) {
      // Before the answer has begun the library throws for an abort, whoever asked for it.
      if (full.signal.aborted) return { kind: 'overflow', tokens, contextSize: this.contextSize }
      if (!signal.aborted) throw error
      response = { metadata: { stopReason: 'abort' } }
    } finally {
      clearInterval(watch)
    }
    const { usedInputTokens, usedOutputTokens } = this.sequence.tokenMeter.diff(before)
    const calls = (response.functionCalls ?? []).map(({ functionName, params, raw }) => ({
      name: functionName,
      params,
      raw,
    }))
    return {
      kind: 'ended',
      reason: signal.aborted ? 'canceled' : full.signal.aborted ? 'length' : reasonOf(response.metadata.stopReason),
      calls,
      usage: {
        input: usedInputTokens,
        cachedInput: Math.max(0, tokens - usedInputTokens),
        output: usedOutputTokens,
        reasoning,
      },
    }
  }

  /** A long prompt takes minutes on a slow processor; whoever waits must see that it is being read. */
  private watchReading(listener: SessionListener): NodeJS.Timeout {
    let read = this.sequence.tokenMeter.getState().usedInputTokens
    return setInterval(() => {
      const now = this.sequence.tokenMeter.getState().usedInputTokens
      if (now !== read) listener.reading()
      read = now
    }, 1000)
  }

  private countTokens(history: readonly ChatItem[], functions: LlamaGenerateOptions['functions']): number {
    const state = this.chat.chatWrapper.generateContextState({
      chatHistory: history,
      ...(functions === undefined ? {} : { availableFunctions: functions, documentFunctionParams: true }),
    })
    return state.contextText.tokenize(this.model.tokenizer).length
  }
}

function reasonOf(stopReason: string): WorkerEnd['reason'] {
  if (stopReason === 'functionCalls') return 'calls'
  if (stopReason === 'maxTokens') return 'length'
  return stopReason === 'abort' ? 'canceled' : 'stop'
}

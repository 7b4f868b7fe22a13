import type { Json } from '@tenon/kernel'
import type { ChatFunction, ChatItem } from './worker-protocol.js'

/**
 * The part of node-llama-cpp 3.21.1 that is used. Written out, because the runtime is no dependency: it is set up on
 * demand in the user's data folder.
 */
export type LlamaModule = {
  getLlama(options: {
    gpu: 'auto' | false
    build: 'never'
    skipDownload: true
    progressLogs: false
    logLevel: 'error'
    maxThreads: number
  }): Promise<Llama>
  LlamaChat: new (options: { contextSequence: LlamaSequence }) => LlamaChat
}

export type Llama = {
  readonly cpuMathCores: number
  loadModel(options: { modelPath: string }): Promise<LlamaModel>
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>
}

type LlamaGrammar = { readonly grammar: string }

export type LlamaModel = {
  createContext(options: { contextSize: number; threads: number }): Promise<LlamaContext>
  readonly tokenizer: unknown
}

type LlamaContext = { readonly contextSize: number; getSequence(): LlamaSequence }

export type LlamaSequence = {
  readonly nextTokenIndex: number
  readonly tokenMeter: {
    getState(): LlamaMeter
    diff(since: LlamaMeter): LlamaMeter
  }
}

type LlamaMeter = { readonly usedInputTokens: number; readonly usedOutputTokens: number }

type LlamaChunk = {
  readonly type?: 'segment'
  readonly segmentType?: string
  readonly text: string
  readonly tokens: readonly unknown[]
}

export type LlamaCallChunk = {
  readonly callIndex: number
  readonly functionName: string
  readonly paramsChunk: string
  readonly done: boolean
}

export type LlamaResponse = {
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: Json; readonly raw: Json }[]
  readonly metadata: { readonly stopReason: string }
}

type ContextState = { readonly contextText: { tokenize(tokenizer: unknown): readonly unknown[] } }

export type LlamaChat = {
  readonly chatWrapper: {
    generateContextState(options: {
      chatHistory: readonly ChatItem[]
      availableFunctions?: Readonly<Record<string, ChatFunction>>
      documentFunctionParams?: boolean
    }): ContextState
  }
  generateResponse(history: readonly ChatItem[], options: LlamaGenerateOptions): Promise<LlamaResponse>
}

export type LlamaGenerateOptions = {
  readonly signal: AbortSignal
  readonly stopOnAbortSignal: true
  readonly maxTokens?: number
  readonly temperature: number
  readonly topP: number
  readonly customStopTriggers?: readonly string[]
  readonly budgets?: { readonly thoughtTokens: number }
  readonly contextShift: {
    readonly strategy: (options: { readonly chatHistory: readonly ChatItem[] }) => {
      readonly chatHistory: readonly ChatItem[]
    }
  }
  readonly onResponseChunk: (chunk: LlamaChunk) => void
  readonly grammar?: LlamaGrammar
  readonly functions?: Readonly<Record<string, ChatFunction>>
  readonly documentFunctionParams?: boolean
  readonly maxParallelFunctionCalls?: number
  readonly onFunctionCallParamsChunk?: (chunk: LlamaCallChunk) => void
}

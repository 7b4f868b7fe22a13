import type { Json, JsonObject } from '@tenon/kernel'

/** A conversation as the runtime takes it (the part of node-llama-cpp's `ChatHistoryItem` that is used). */
export type ChatItem =
  | { readonly type: 'system'; readonly text: string }
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly ChatResponsePart[] }

export type ChatResponsePart =
  | string
  | {
      readonly type: 'functionCall'
      readonly name: string
      readonly params: Json
      readonly result: Json
      /** The call as the model wrote it, so that the same tokens stand in the context again. */
      readonly rawCall?: Json
      readonly startsNewChunk?: boolean
    }
  | { readonly type: 'segment'; readonly segmentType: 'thought'; readonly text: string; readonly ended: boolean }

/** What the model may say. */
export type ChatMode =
  | { readonly kind: 'free' }
  /** Text, or calls that obey the grammar of their function. */
  | {
      readonly kind: 'functions'
      readonly functions: Readonly<Record<string, ChatFunction>>
      readonly parallel: boolean
    }
  /** One JSON value of this shape and nothing else. */
  | { readonly kind: 'shaped'; readonly schema: JsonObject }

export type ChatFunction = { readonly description: string; readonly params: JsonObject }

export type GenerateJob = {
  readonly history: readonly ChatItem[]
  readonly mode: ChatMode
  readonly maxTokens?: number
  readonly temperature: number
  readonly topP: number
  readonly stop: readonly string[]
  /** Tokens that may be spent on thoughts. Unlimited if absent. */
  readonly thoughtTokens?: number
}

export type LoadJob = {
  /** Folder of the runtime. */
  readonly runtime: string
  /** Path of the weights. */
  readonly weights: string
  readonly contextSize: number
  readonly gpu: boolean
  readonly threads: number
}

export type ToWorker =
  | ({ readonly kind: 'load' } & LoadJob)
  | { readonly kind: 'generate'; readonly id: number; readonly job: GenerateJob }
  | { readonly kind: 'cancel'; readonly id: number }

type WorkerCall = { readonly name: string; readonly params: Json; readonly raw: Json }

type WorkerUsage = {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly reasoning: number
}

export type WorkerEnd = {
  readonly reason: 'stop' | 'calls' | 'length' | 'canceled'
  readonly calls: readonly WorkerCall[]
  readonly usage: WorkerUsage
}

export type FromWorker =
  | { readonly kind: 'loaded'; readonly contextSize: number }
  | { readonly kind: 'load-failed'; readonly message: string }
  /** More of the prompt was read. */
  | { readonly kind: 'reading'; readonly id: number }
  | { readonly kind: 'piece'; readonly id: number; readonly part: 'text' | 'thought'; readonly text: string }
  | {
      readonly kind: 'call-piece'
      readonly id: number
      readonly index: number
      readonly name: string
      readonly text: string
    }
  | { readonly kind: 'ended'; readonly id: number; readonly end: WorkerEnd }
  | { readonly kind: 'overflow'; readonly id: number; readonly tokens: number; readonly contextSize: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

import type { Json, JsonObject } from '@tenon/kernel'

/**
 * The parts of the AI SDK's language model specifications that are used: `LanguageModelV2` (`@ai-sdk/provider` 2),
 * `V3` (3) and `V4` (4). Written out, so that no version of the SDK is a dependency; any model of the three fits.
 */
export type AiSdkVersion = 'v2' | 'v3' | 'v4'

export type AiSdkLanguageModel = {
  readonly specificationVersion: AiSdkVersion
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls?: SupportedUrls | PromiseLike<SupportedUrls>
  // Methods, not properties: each version's own options are wider or narrower than ours.
  doStream?(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>
  doGenerate(options: never): PromiseLike<object>
}

export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>

export type ProviderMetadata = Readonly<Record<string, JsonObject>>

/** File data of a prompt: bare up to V3, tagged from V4. */
export type FileData =
  | string
  | URL
  | { readonly type: 'data'; readonly data: string }
  | { readonly type: 'url'; readonly url: URL }

export type PromptPart =
  | { readonly type: 'text'; readonly text: string; readonly providerOptions?: ProviderMetadata }
  | {
      readonly type: 'file'
      readonly data: FileData
      readonly mediaType: string
      readonly filename?: string
      readonly providerOptions?: ProviderMetadata
    }
  | { readonly type: 'reasoning'; readonly text: string; readonly providerOptions?: ProviderMetadata }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: Json
      readonly providerExecuted?: boolean
      readonly providerOptions?: ProviderMetadata
    }
  | {
      readonly type: 'tool-result'
      readonly toolCallId: string
      readonly toolName: string
      readonly output: ToolOutput
      readonly providerOptions?: ProviderMetadata
    }
  | { readonly type: 'custom'; readonly kind: string; readonly providerOptions?: ProviderMetadata }

export type ToolOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'content'; readonly value: readonly ToolOutputPart[] }

/** `media` is V2's, the named ones V3's, `file` V4's. */
export type ToolOutputPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media' | 'image-data' | 'file-data'; readonly data: string; readonly mediaType: string }
  | { readonly type: 'file'; readonly data: FileData; readonly mediaType: string }

export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly PromptPart[] }

export type CallOptions = {
  readonly prompt: readonly PromptMessage[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly stopSequences?: readonly string[]
  readonly responseFormat?: { readonly type: 'json'; readonly schema: JsonObject; readonly name: string }
  readonly tools?: readonly {
    readonly type: 'function'
    readonly name: string
    readonly description: string
    readonly inputSchema: JsonObject
  }[]
  readonly toolChoice?:
    | { readonly type: 'auto' | 'none' | 'required' }
    | { readonly type: 'tool'; readonly toolName: string }
  /** From V4. */
  readonly reasoning?: 'none' | 'low' | 'medium' | 'high'
  readonly providerOptions?: ProviderMetadata
  readonly headers?: Readonly<Record<string, string>>
  readonly abortSignal: AbortSignal
}

/** A part of a stream, or of a whole answer's content. What is not known is passed over by name. */
export type AnswerPart = { readonly type: string } & Readonly<Record<string, unknown>>

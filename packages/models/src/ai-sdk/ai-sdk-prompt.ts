import type {
  AssistantMessage,
  Author,
  ContentBlock,
  Json,
  MediaBlock,
  ModelRequest,
  ToolResultBlock,
} from '@tenon/kernel'
import { isJsonObject, plainText } from '@tenon/kernel'
import { staysFor, wroteIt } from '../wire/authorship.js'
import { isShowable, toldArtifact, toldMedia, wireType } from '../wire/told-media.js'
import type { ToolNames } from '../wire/tool-names.js'
import { COMMON_CALL_IDS, NINE_CALL_IDS, wireCallIds } from '../wire/wire-call-ids.js'
import type {
  AiSdkVersion,
  FileData,
  PromptMessage,
  PromptPart,
  ProviderMetadata,
  SupportedUrls,
  ToolOutput,
  ToolOutputPart,
} from './ai-sdk-types.js'

export type PromptContext = {
  readonly version: AiSdkVersion
  readonly self: Author
  readonly names: ToolNames
  readonly urls: SupportedUrls
}

/** Writes the system text and the messages of a request in the form of the model's specification. */
export function aiSdkPrompt(request: ModelRequest, context: PromptContext): readonly PromptMessage[] {
  const rule = /mistral/i.test(context.self.provider) ? NINE_CALL_IDS : COMMON_CALL_IDS
  const idOf = wireCallIds(request.messages, context.self, rule)
  const prompt: PromptMessage[] = []
  const system = plainText(request.system)
  if (system !== '') prompt.push({ role: 'system', content: system })
  for (const message of request.messages) {
    if (message.role === 'user')
      prompt.push({ role: 'user', content: message.blocks.map((b) => contentPart(b, context)) })
    else if (message.role === 'tool')
      prompt.push({
        role: 'tool',
        content: message.blocks.map((block) => ({
          type: 'tool-result',
          toolCallId: idOf(block.callId),
          toolName: context.names.toWire(block.name),
          output: toolOutput(block, context.version),
        })),
      })
    else {
      const content = assistantParts(message, context, idOf)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    }
  }
  return prompt
}

function assistantParts(
  message: AssistantMessage,
  context: PromptContext,
  idOf: ReturnType<typeof wireCallIds>,
): readonly PromptPart[] {
  const parts: PromptPart[] = []
  for (const block of message.blocks) {
    if (!staysFor(block, context.self)) continue
    const raw = wroteIt(block, context.self) && isJsonObject(block.raw) ? block.raw : {}
    const metadata = isJsonObject(raw.providerMetadata) ? (raw.providerMetadata as ProviderMetadata) : undefined
    const options = metadata === undefined ? {} : { providerOptions: metadata }
    if (block.kind === 'text') parts.push({ type: 'text', text: block.text, ...options })
    else if (block.kind === 'reasoning') parts.push({ type: 'reasoning', text: block.text, ...options })
    else if (block.kind === 'tool-call')
      parts.push({
        type: 'tool-call',
        toolCallId: idOf(block.callId),
        toolName: context.names.toWire(block.name),
        input: block.args,
        ...options,
      })
    else if (block.kind === 'opaque') parts.push(...opaquePart(block.type, raw, options))
    else parts.push({ ...contentPart(block, context), ...options })
  }
  return parts
}

/** Calls and results of tools that the provider itself ran, and its own parts, go back as they came. */
function opaquePart(
  type: string,
  raw: Readonly<Record<string, Json>>,
  options: { readonly providerOptions?: ProviderMetadata },
): readonly PromptPart[] {
  const { toolCallId, toolName, input, result, kind } = raw
  if (type === 'custom' && typeof kind === 'string') return [{ type: 'custom', kind, ...options }]
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return []
  if (type === 'tool-call')
    return [{ type: 'tool-call', toolCallId, toolName, input: parsed(input), providerExecuted: true, ...options }]
  if (type === 'tool-result')
    return [{ type: 'tool-result', toolCallId, toolName, output: { type: 'json', value: result ?? null }, ...options }]
  return []
}

function parsed(input: Json | undefined): Json {
  if (typeof input !== 'string') return input ?? {}
  try {
    return JSON.parse(input) as Json
  } catch {
    return {}
  }
}

function contentPart(block: ContentBlock, context: PromptContext): PromptPart {
  if (block.kind === 'text') return { type: 'text', text: block.text }
  if (block.kind === 'artifact') return { type: 'text', text: toldArtifact(block) }
  const data = fileData(block, context)
  if (data === undefined) return { type: 'text', text: toldMedia(block) }
  const mediaType = wireType(block.mediaType)
  return { type: 'file', data, mediaType, ...(block.name === undefined ? {} : { filename: block.name }) }
}

/** Which of them a model of another library takes is that library's matter. */
const KINDS = ['image', 'audio', 'file'] as const

function fileData(block: MediaBlock, { version, urls }: PromptContext): FileData | undefined {
  const { source } = block
  if (!isShowable(block, KINDS)) return undefined
  if (source.kind === 'data') return version === 'v4' ? { type: 'data', data: source.base64 } : source.base64
  if (source.kind === 'artifact' || !URL.canParse(source.url) || !takesUrl(urls, block.mediaType, source.url))
    return undefined
  return version === 'v4' ? { type: 'url', url: new URL(source.url) } : new URL(source.url)
}

/** A model fetches the addresses that it declares by media type; others would have to be fetched by the host. */
function takesUrl(urls: SupportedUrls, mediaType: string, url: string): boolean {
  return Object.entries(urls).some(([type, patterns]) => {
    const fits =
      type === '*' ||
      type === '*/*' ||
      type === mediaType ||
      (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)))
    return fits && patterns.some((pattern) => pattern.test(url))
  })
}

function toolOutput(block: ToolResultBlock, version: AiSdkVersion): ToolOutput {
  const hasMedia = block.content.some(
    (part) => part.kind !== 'text' && part.kind !== 'artifact' && part.source.kind === 'data',
  )
  if (block.isError || !hasMedia)
    return { type: block.isError ? 'error-text' : 'text', value: block.content.map(toldText).join('\n') }
  return { type: 'content', value: block.content.map((part) => outputPart(part, version)) }
}

function outputPart(part: ContentBlock, version: AiSdkVersion): ToolOutputPart {
  if (part.kind === 'text' || part.kind === 'artifact' || part.source.kind !== 'data' || !isShowable(part, KINDS))
    return { type: 'text', text: toldText(part) }
  const mediaType = wireType(part.mediaType)
  const data = part.source.base64
  if (version === 'v4') return { type: 'file', data: { type: 'data', data }, mediaType }
  if (version === 'v2') return { type: 'media', data, mediaType }
  return { type: part.kind === 'image' ? 'image-data' : 'file-data', data, mediaType }
}

function toldText(part: ContentBlock): string {
  if (part.kind === 'text') return part.text
  return part.kind === 'artifact' ? toldArtifact(part) : toldMedia(part)
}

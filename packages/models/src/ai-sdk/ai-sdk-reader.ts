import type { Author, ErrorRecord, Finish, Json, JsonObject, MediaBlock, ModelBlock, ModelEvent } from '@tenon/kernel'
import { errorRecord, isJsonObject } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { ArgumentText } from '../wire/argument-text.js'
import type { ToolNames } from '../wire/tool-names.js'
import { aiSdkError } from './ai-sdk-error.js'
import type { AnswerPart } from './ai-sdk-types.js'
import { aiSdkUsage } from './ai-sdk-usage.js'

type Draft = {
  readonly index: number
  readonly kind: 'text' | 'reasoning' | 'tool-call'
  text: string
  name: string
  /** By provider, whatever came with any piece. */
  metadata: Record<string, JsonObject>
}

/** Reads the parts of one stream, or of one whole answer, into model events. Gives `finished` exactly once, from `end`. */
export class AiSdkReader {
  readonly #drafts = new Map<string, Draft>()
  readonly #diagnostics = new Set<string>()
  #index = 0
  #calls = 0
  #finish: AnswerPart | undefined
  #error: ErrorRecord | undefined
  #servedBy: string | undefined

  constructor(
    private readonly author: Author,
    private readonly names: ToolNames,
  ) {}

  /** True once the model said that it is through. */
  get isOver(): boolean {
    return this.#finish !== undefined
  }

  *read(part: AnswerPart): Generator<ModelEvent> {
    const { type } = part
    const id = String(part.id ?? '')
    switch (type) {
      case 'text-start':
      case 'reasoning-start':
        yield* this.#begin(id, type === 'text-start' ? 'text' : 'reasoning', part)
        break
      case 'text-delta':
      case 'reasoning-delta':
        yield* this.#piece(id, type === 'text-delta' ? 'text' : 'reasoning', part)
        break
      case 'text-end':
      case 'reasoning-end':
        yield* this.#endProse(id, part)
        break
      case 'tool-input-start':
        if (part.providerExecuted !== true) yield* this.#begin(id, 'tool-call', part)
        break
      case 'tool-input-delta':
        if (this.#drafts.has(id)) yield* this.#piece(id, 'tool-call', part)
        break
      case 'tool-call':
        yield* part.providerExecuted === true ? this.#opaque(part) : this.#endCall(part)
        break
      case 'file':
        yield* this.#media(part)
        break
      case 'tool-result':
      case 'custom':
      case 'reasoning-file':
      case 'source':
        yield* this.#opaque(part)
        break
      case 'stream-start':
        this.#warn(part.warnings)
        break
      case 'response-metadata':
        if (typeof part.modelId === 'string') this.#servedBy = part.modelId
        break
      case 'finish':
        this.#finish = part
        break
      case 'error':
        this.#error ??= aiSdkError(part.error, this.author.provider)
        break
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        break
      default:
        this.#diagnostics.add('unknown-part')
    }
  }

  /** Reads the content of an answer that was not streamed. */
  *readWhole(result: Readonly<Record<string, unknown>>): Generator<ModelEvent> {
    this.#warn(result.warnings)
    if (isJsonObject(result.response)) yield* this.read({ ...result.response, type: 'response-metadata' })
    for (const [position, content] of (Array.isArray(result.content) ? result.content : []).entries()) {
      const part = content as AnswerPart
      if (part.type === 'text' || part.type === 'reasoning') {
        const id = `whole-${position}`
        yield* this.#begin(id, part.type, part)
        yield* this.#piece(id, part.type, { type: part.type, delta: part.text })
        yield* this.#endProse(id, part)
      } else yield* this.read(part)
    }
    this.#finish = { ...result, type: 'finish' }
  }

  *end(broken?: ErrorRecord): Generator<ModelEvent> {
    for (const [id, draft] of [...this.#drafts])
      if (draft.kind === 'tool-call')
        yield* this.#endCall({ type: 'tool-call', toolCallId: id, input: draft.text }, true)
      else yield* this.#endProse(id, { type: 'end' })
    const usage = aiSdkUsage(this.#finish?.usage, this.author.provider, this.#finish?.providerMetadata)
    const missing = this.#finish === undefined ? cutOff(this.author.provider) : undefined
    const error = this.#error ?? broken ?? missing
    const finish = error === undefined ? this.#finishWord() : this.#isCut(error) ? 'truncated' : 'error'
    yield {
      kind: 'finished',
      finish,
      usage,
      diagnostics: [...this.#diagnostics],
      ...(error === undefined && finish === 'error' ? { error: failedWithoutWords(this.author.provider) } : {}),
      ...(error === undefined ? {} : { error }),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
    }
  }

  /** An answer that had begun and broke off, as opposed to one that the provider refused or ended with an error. */
  #isCut(error: ErrorRecord): boolean {
    return this.#error === undefined && (this.#index > 0 || error.code === 'stream-truncated')
  }

  *#begin(id: string, kind: Draft['kind'], part: AnswerPart): Generator<ModelEvent> {
    const written = typeof part.toolName === 'string' ? part.toolName : ''
    const { name } = this.names.resolve(written)
    const index = this.#index++
    this.#drafts.set(id, { index, kind, text: '', name, metadata: {} })
    this.#keepMetadata(id, part)
    yield { kind: 'block-began', index, block: kind, ...(kind === 'tool-call' ? { name } : {}) }
  }

  *#piece(id: string, kind: Draft['kind'], part: AnswerPart): Generator<ModelEvent> {
    if (!this.#drafts.has(id)) yield* this.#begin(id, kind, part)
    const draft = this.#drafts.get(id)
    this.#keepMetadata(id, part)
    if (draft === undefined || typeof part.delta !== 'string' || part.delta === '') return
    draft.text += part.delta
    yield { kind: 'delta', index: draft.index, text: part.delta }
  }

  #keepMetadata(id: string, part: AnswerPart): void {
    const draft = this.#drafts.get(id)
    if (draft === undefined || !isJsonObject(part.providerMetadata)) return
    for (const [provider, told] of Object.entries(part.providerMetadata))
      if (isJsonObject(told)) draft.metadata[provider] = { ...draft.metadata[provider], ...told }
  }

  *#endProse(id: string, part: AnswerPart): Generator<ModelEvent> {
    this.#keepMetadata(id, part)
    const draft = this.#drafts.get(id)
    if (draft === undefined) return
    this.#drafts.delete(id)
    const { author } = this
    const raw = rawOf(draft.metadata)
    const block: ModelBlock =
      draft.kind === 'text'
        ? { kind: 'text', text: draft.text, author, ...raw }
        : { kind: 'reasoning', text: draft.text, seal: sealOf(draft.metadata), author, ...raw }
    yield { kind: 'block-ended', index: draft.index, block }
  }

  *#endCall(part: AnswerPart, cutShort = false): Generator<ModelEvent> {
    const id = String(part.toolCallId ?? '')
    if (!this.#drafts.has(id)) yield* this.#begin(id, 'tool-call', part)
    this.#keepMetadata(id, part)
    const draft = this.#drafts.get(id)
    if (draft === undefined) return
    this.#drafts.delete(id)
    const text = new ArgumentText()
    const report = (diagnostic: string): void => void this.#diagnostics.add(diagnostic)
    text.add(part.input as Json, report)
    const read = text.read(cutShort, report)
    this.#calls++
    if (id === '') report('tool-id-missing')
    yield {
      kind: 'block-ended',
      index: draft.index,
      block: {
        kind: 'tool-call',
        name: draft.name,
        args: read.args,
        ...(read.argsText === undefined ? {} : { argsText: read.argsText }),
        ...(read.problem === undefined ? {} : { problem: read.problem }),
        ...(id === '' ? {} : { alias: id }),
        author: this.author,
        ...rawOf(draft.metadata),
      },
    }
  }

  *#opaque(part: AnswerPart): Generator<ModelEvent> {
    const index = this.#index++
    const raw = JSON.parse(JSON.stringify(part)) as JsonObject
    yield { kind: 'block-began', index, block: 'opaque' }
    yield { kind: 'block-ended', index, block: { kind: 'opaque', type: part.type, raw, author: this.author } }
  }

  *#media(part: AnswerPart): Generator<ModelEvent> {
    const mediaType = String(part.mediaType ?? 'application/octet-stream')
    const kind = mediaType.startsWith('image/') ? 'image' : mediaType.startsWith('audio/') ? 'audio' : 'file'
    const index = this.#index++
    const metadata = isJsonObject(part.providerMetadata) ? { raw: { providerMetadata: part.providerMetadata } } : {}
    yield { kind: 'block-began', index, block: kind }
    yield {
      kind: 'block-ended',
      index,
      block: { kind, mediaType, source: sourceOf(part.data), author: this.author, ...metadata },
    }
  }

  #warn(warnings: unknown): void {
    for (const warning of Array.isArray(warnings) ? (warnings as readonly unknown[]) : []) {
      if (!isJsonObject(warning)) continue
      const { type, setting, feature } = warning
      this.#diagnostics.add(`provider-warning:${String(setting ?? feature ?? type)}`)
    }
  }

  /** V2 has a word, later versions a common word and the provider's own. */
  #finishWord(): Finish {
    const reason = this.#finish?.finishReason
    const word = isJsonObject(reason) ? reason.unified : reason
    const own = isJsonObject(reason) ? reason.raw : undefined
    if (own === 'pause_turn') return 'paused'
    if (own === 'refusal') return 'refusal'
    if (word === 'length' || word === 'content-filter' || word === 'error') return word
    if (word !== 'stop' && word !== 'tool-calls') this.#diagnostics.add('finish-unknown')
    return this.#calls > 0 ? 'tool-calls' : 'stop'
  }
}

function rawOf(metadata: Readonly<Record<string, JsonObject>>): { readonly raw?: Json } {
  return Object.keys(metadata).length === 0 ? {} : { raw: { providerMetadata: metadata } }
}

/** A thought that its provider signed or encrypted goes back whole or not at all. */
function sealOf(metadata: Readonly<Record<string, JsonObject>>): 'none' | 'signature' | 'encrypted' {
  const keys = Object.values(metadata).flatMap((told) => Object.keys(told).filter((key) => told[key] !== null))
  if (keys.some((key) => /encrypt|redacted/i.test(key))) return 'encrypted'
  return keys.some((key) => /signature/i.test(key)) ? 'signature' : 'none'
}

function sourceOf(data: unknown): MediaBlock['source'] {
  const inner = isJsonObject(data) && 'type' in data ? ((data as JsonObject).data ?? (data as JsonObject).url) : data
  if (inner instanceof Uint8Array) return { kind: 'data', base64: Buffer.from(inner).toString('base64') }
  if (inner instanceof URL) return { kind: 'url', url: inner.href }
  return { kind: 'data', base64: String(inner ?? '') }
}

function cutOff(provider: string): ErrorRecord {
  const message = `The answer of ${provider} ended in the middle; what came is kept. Try again.`
  return errorRecord(new ModelsError('stream-truncated', message))
}

function failedWithoutWords(provider: string): ErrorRecord {
  return errorRecord(new ModelsError('server-error', `${provider} ended its answer with an error. Try again.`))
}

import type {
  Author,
  ErrorRecord,
  Finish,
  Json,
  JsonObject,
  ModelBlock,
  ModelEvent,
  ToolDefinition,
  UnboundCall,
  Usage,
} from '@tenon/kernel'
import { errorRecord, isJsonObject } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { WireNames } from '../tool-form/wire-names.js'
import { withoutAbsent } from './grammar-schema.js'
import type { FromWorker, WorkerEnd } from './worker-protocol.js'

type JobMessage = Exclude<FromWorker, { kind: 'loaded' | 'load-failed' }>

export type LocalAnswerContext = {
  readonly author: Author
  readonly tools: readonly ToolDefinition[]
  readonly names: WireNames
  readonly forcedCall: boolean
}

/** Turns what the worker says about one job into model events, through a queue that whoever reads empties at their pace. */
export type LocalAnswer = {
  take(message: JobMessage): void
  fail(error: ErrorRecord): void
  /** Ends after `finished`. */
  events(): AsyncGenerator<ModelEvent>
}

export function localAnswer(context: LocalAnswerContext): LocalAnswer {
  const queue: ModelEvent[] = []
  let wake: (() => void) | undefined
  let ended = false
  const emit = (event: ModelEvent): void => {
    if (ended) return
    queue.push(event)
    ended = event.kind === 'finished'
    wake?.()
  }
  const writer = new BlockWriter(context, emit)
  return {
    take(message) {
      if (message.kind === 'reading') emit({ kind: 'progress' })
      else if (message.kind === 'piece') writer.piece(message.part, message.text)
      else if (message.kind === 'call-piece') writer.callPiece(message.index, message.name, message.text)
      else if (message.kind === 'ended') writer.end(message.end)
      else if (message.kind === 'overflow') emit(failed(errorRecord(overflow(message.tokens, message.contextSize))))
      else emit(failed(errorRecord(new ModelsError('local-failed', `The local model failed: ${message.message}`))))
    },
    fail: (error) => emit(failed(error)),
    async *events() {
      for (;;) {
        const next = queue.shift()
        if (next !== undefined) {
          yield next
          if (next.kind === 'finished') return
        } else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}

const failed = (error: ErrorRecord): ModelEvent => ({
  kind: 'finished',
  finish: 'error',
  usage: null,
  error,
  diagnostics: [],
})

function overflow(tokens: number, contextSize: number): ModelsError {
  return new ModelsError(
    'context-overflow',
    `The request has ${tokens} tokens and the local model holds ${contextSize}. Shorten it, or set a larger contextWindow.`,
    { detail: { tokens, contextSize } },
  )
}

/** Keeps one open block and closes it when another kind of piece comes. */
class BlockWriter {
  #index = -1
  #open: 'text' | 'reasoning' | undefined
  #text = ''
  #forced = ''
  /** Index of each announced call by the worker's number. */
  #announced = new Map<number, number>()

  constructor(
    private readonly context: LocalAnswerContext,
    private readonly emit: (event: ModelEvent) => void,
  ) {}

  piece(part: 'text' | 'thought', text: string): void {
    // The JSON of a forced call is arguments, not something to show as text.
    if (this.context.forcedCall && part === 'text') {
      this.#forced += text
      return
    }
    const kind = part === 'thought' ? 'reasoning' : 'text'
    if (this.#open !== kind) {
      this.#close()
      // White space between a thought and a call is no text that anybody wrote.
      if (text.trim() === '') return
      this.#open = kind
      this.emit({ kind: 'block-began', index: ++this.#index, block: kind })
    }
    this.#text += text
    this.emit({ kind: 'delta', index: this.#index, text })
  }

  callPiece(call: number, name: string, text: string): void {
    let index = this.#announced.get(call)
    if (index === undefined) {
      this.#close()
      index = ++this.#index
      this.#announced.set(call, index)
      this.emit({ kind: 'block-began', index, block: 'tool-call', name: this.#hostName(name) })
    }
    if (text !== '') this.emit({ kind: 'delta', index, text })
  }

  end(end: WorkerEnd): void {
    const usage: Usage = { ...end.usage, cacheWrite: 0 }
    const finish = (finish: Finish, error?: ErrorRecord): void =>
      this.emit({ kind: 'finished', finish, usage, diagnostics: [], ...(error === undefined ? {} : { error }) })
    if (end.reason === 'canceled') {
      this.#close()
      finish('truncated', errorRecord(new ModelsError('local-canceled', 'The local model was stopped.')))
      return
    }
    this.#close()
    if (this.context.forcedCall) {
      finish(this.#forcedCall(end.reason))
      return
    }
    for (const [number, call] of end.calls.entries()) {
      const index = this.#announced.get(number) ?? ++this.#index
      this.#endCall(index, !this.#announced.has(number), call.name, call.params, { rawCall: call.raw })
    }
    finish(end.calls.length > 0 ? 'tool-calls' : end.reason === 'length' ? 'length' : 'stop')
  }

  #forcedCall(reason: WorkerEnd['reason']): Finish {
    const written = this.#forced
    const call = parsed(written)
    if (isJsonObject(call) && typeof call.name === 'string') {
      this.#endCall(++this.#index, true, call.name, call.arguments ?? {})
      return 'tool-calls'
    }
    const index = ++this.#index
    this.emit({ kind: 'block-began', index, block: 'text' })
    this.emit({ kind: 'block-ended', index, block: { kind: 'text', text: written, author: this.context.author } })
    return reason === 'length' ? 'length' : 'stop'
  }

  #endCall(index: number, unannounced: boolean, wireName: string, params: Json, raw?: JsonObject): void {
    const name = this.#hostName(wireName)
    const schema = this.context.tools.find((tool) => tool.name === name)?.input ?? {}
    const kept = withoutAbsent(params, schema)
    const args = isJsonObject(kept) ? kept : {}
    const block: UnboundCall = {
      kind: 'tool-call',
      name,
      args,
      argsText: JSON.stringify(args),
      author: this.context.author,
      ...(raw === undefined ? {} : { raw }),
    }
    if (unannounced) this.emit({ kind: 'block-began', index, block: 'tool-call', name })
    this.emit({ kind: 'block-ended', index, block })
  }

  #close(): void {
    if (this.#open === undefined) return
    const { author } = this.context
    const text = this.#text
    const block: ModelBlock =
      this.#open === 'text' ? { kind: 'text', text, author } : { kind: 'reasoning', text, seal: 'none', author }
    this.emit({ kind: 'block-ended', index: this.#index, block })
    this.#open = undefined
    this.#text = ''
  }

  #hostName(wire: string): string {
    return this.context.names.fromWire(wire) ?? wire
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

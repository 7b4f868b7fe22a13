import type {
  Author,
  ErrorRecord,
  Finish,
  Model,
  ModelBlock,
  ModelContext,
  ModelEvent,
  ModelRequest,
  UnboundCall,
} from '@tenon/kernel'
import { errorRecord } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { PromptedDialect, TurnDelta } from './dialect.js'
import { promptedDialects } from './dialects.js'
import type { ReadCall, ReadTurn } from './read-turn.js'
import { dialectName, rewriteRequest } from './rewrite-request.js'
import { TurnParser } from './turn-parser.js'

export type PromptedOptions = {
  /** `react-xml` if absent: it keeps thought, call and answer apart and is hard to confuse with content. */
  readonly dialect?: PromptedDialect['name']
}

type Finished = Extract<ModelEvent, { readonly kind: 'finished' }>

/** Characters: the length of the longest tag that an invented result begins with. */
const GRACE = 16

/** Generation was stopped by us, before the model told what it used. */
const STOPPED: Finished = { kind: 'finished', finish: 'stop', usage: null, diagnostics: ['stopped-early'] }

const SILENT: Finished = {
  kind: 'finished',
  finish: 'truncated',
  usage: null,
  error: errorRecord(new ModelsError('stream-truncated', 'The model stream ended without saying how.')),
  diagnostics: [],
}

/**
 * Tool calling for a model that has none of its own: tools are offered by prompt, what the model writes becomes blocks.
 * Results that it invents are dropped and reported (`invented-observation`), and generation stops once a call is
 * complete. A call that cannot be used is a tool-call block with `problem`; output that is neither call nor answer
 * ends with `finished.error`, whose message tells the model what to write.
 */
export function prompted(model: Model, options: PromptedOptions = {}): Model {
  const dialect = promptedDialects[options.dialect ?? 'react-xml']
  const author: Author = Object.freeze({ ...model.author, dialect: dialectName(dialect) })
  const { contextWindow, prices, disclaimer } = model
  return {
    author,
    contextWindow,
    ...(prices === undefined ? {} : { prices }),
    ...(disclaimer === undefined ? {} : { disclaimer }),
    generate: (request, context) => generate(model, dialect, author, request, context),
  }
}

async function* generate(
  model: Model,
  dialect: PromptedDialect,
  author: Author,
  request: ModelRequest,
  context: ModelContext,
): AsyncGenerator<ModelEvent> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  if (context.signal.aborted) abort()
  context.signal.addEventListener('abort', abort, { once: true })
  const turn = new PromptedTurn(dialect, author, request)
  try {
    const inner = rewriteRequest(request, dialect, model.author)
    for await (const event of model.generate(inner, { signal: stop.signal })) {
      yield* turn.take(event)
      if (turn.finished || turn.overrun) break
    }
    if (turn.overrun) abort()
    if (!context.signal.aborted) yield* turn.end()
  } finally {
    abort()
    context.signal.removeEventListener('abort', abort)
  }
}

/** One output on its way: inner events in, events of the dialect out. */
class PromptedTurn {
  finished: Finished | undefined
  private readonly parser: TurnParser
  private readonly kinds = new Map<number, ModelBlock['kind']>()
  private readonly received = new Map<number, number>()
  private readonly outer = new Map<number, number>()
  private readonly begun = new Map<TurnDelta['block'], number>()
  private refused = false
  private surplus = 0
  private next = 0

  constructor(
    dialect: PromptedDialect,
    private readonly author: Author,
    request: ModelRequest,
  ) {
    this.parser = new TurnParser(dialect, request.tools)
  }

  /**
   * True when the model goes on to write what will be discarded. A little of it is read, so that it can be named and
   * so that a model that stops by itself still tells what it used.
   */
  get overrun(): boolean {
    return this.surplus > GRACE
  }

  *take(event: ModelEvent): Generator<ModelEvent> {
    if (event.kind === 'finished') {
      this.finished = event
      return
    }
    if (event.kind === 'progress') {
      yield event
      return
    }
    const { index } = event
    if (event.kind === 'block-began') this.kinds.set(index, event.block)
    const kind = event.kind === 'block-ended' ? event.block.kind : this.kinds.get(index)
    const refusal = event.kind === 'block-ended' && event.block.kind === 'text' && event.block.refusal === true
    if (kind !== 'text' || refusal) {
      this.refused ||= refusal
      let place = this.outer.get(index)
      if (place === undefined) {
        place = this.next++
        this.outer.set(index, place)
      }
      yield { ...event, index: place }
      return
    }
    if (event.kind === 'delta') yield* this.push(index, event.text)
    // A model that sends no deltas tells its text at the end of the block.
    if (event.kind === 'block-ended' && event.block.kind === 'text') {
      yield* this.push(index, event.block.text.slice(this.received.get(index) ?? 0))
    }
  }

  private *push(index: number, text: string): Generator<ModelEvent> {
    this.received.set(index, (this.received.get(index) ?? 0) + text.length)
    if (this.parser.done) this.surplus += text.trim().length
    for (const delta of this.parser.push(text)) {
      let place = this.begun.get(delta.block)
      if (place === undefined) {
        place = this.next++
        this.begun.set(delta.block, place)
        yield { kind: 'block-began', index: place, block: delta.block }
      }
      yield { kind: 'delta', index: place, text: delta.text }
    }
  }

  /** What was read, and how it ended. */
  *end(): Generator<ModelEvent> {
    const inner = this.finished ?? (this.overrun ? STOPPED : SILENT)
    const turn = this.parser.end(inner.finish)
    for (const block of this.blocksOf(turn)) yield* this.block(block)
    const unnamed = turn.calls.length === 1 && turn.calls[0]?.kind === 'broken' && turn.calls[0].name === ''
    const problem = unnamed && turn.calls[0]?.kind === 'broken' ? turn.calls[0].problem : turn.problem
    const read = inner.finish === 'stop' || inner.finish === 'length' || inner.finish === 'tool-calls'
    const error: ErrorRecord | undefined =
      problem !== null && read && !this.refused
        ? { code: problem.code, message: problem.message, retryable: true, detail: { position: problem.position } }
        : undefined
    const calls = turn.calls.length > 0 && !unnamed
    yield {
      ...inner,
      finish: finishOf(inner.finish, calls),
      ...(error === undefined ? {} : { error }),
      diagnostics: [...inner.diagnostics, ...turn.diagnostics, ...turn.repairs],
    }
  }

  private *block(block: ModelBlock): Generator<ModelEvent> {
    const kind = block.kind
    const known = kind === 'text' || kind === 'reasoning' ? this.begun.get(kind) : undefined
    const index = known ?? this.next++
    if (kind === 'text' || kind === 'reasoning') this.begun.delete(kind)
    if (known === undefined) {
      yield block.kind === 'tool-call'
        ? { kind: 'block-began', index, block: kind, name: block.name }
        : { kind: 'block-began', index, block: kind }
    }
    yield { kind: 'block-ended', index, block }
  }

  private blocksOf(turn: ReadTurn): readonly ModelBlock[] {
    const { author } = this
    const blocks: ModelBlock[] = []
    const { thought, said, answer } = turn
    const hidden = thought === null || said === null ? thought : thought.slice(0, -said.length).trim() || null
    if (hidden !== null) blocks.push({ kind: 'reasoning', text: hidden, seal: 'none', author })
    if (said !== null) blocks.push({ kind: 'text', text: said, author })
    if (answer !== null) blocks.push({ kind: 'text', text: answer, author })
    for (const call of turn.calls) {
      if (turn.calls.length > 1 || call.name !== '') blocks.push(callBlock(call, author))
    }
    return blocks
  }
}

function finishOf(inner: Finish, calls: boolean): Finish {
  if (inner === 'stop' || inner === 'length' || inner === 'tool-calls') return calls ? 'tool-calls' : inner
  return inner
}

function callBlock(call: ReadCall, author: Author): UnboundCall {
  const { name } = call
  if (call.kind === 'broken') {
    return { kind: 'tool-call', name, args: {}, argsText: call.written, problem: call.problem, author }
  }
  const repairs = call.repairs.length > 0 ? { repairs: call.repairs } : {}
  return { kind: 'tool-call', name, args: call.args, ...repairs, author }
}

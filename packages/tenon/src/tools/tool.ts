import {
  type CallContext,
  type Effect,
  type HandEvent,
  type HandResult,
  isPromise,
  type JsonObject,
  KernelError,
  type MaybePromise,
  type Schema,
  type Tool,
  type Trust,
} from '@tenon/kernel'
import { type InferOutput, isStandardSchema, parseStandard, type StandardSchema } from '../schema/standard-schema.js'
import { type SchemaInput, toSchema } from '../schema/to-schema.js'
import { type ToolAnswer, toHandEvent, toHandResult } from './tool-answer.js'

/** What `run` gets: what a Standard Schema makes of the arguments; else the arguments as they are. */
type ArgsOf<Input> = Input extends StandardSchema ? InferOutput<Input> : JsonObject

type Running = MaybePromise<ToolAnswer> | AsyncGenerator<HandEvent, ToolAnswer> | AsyncIterable<HandEvent>

export type ToolOptions<Input extends SchemaInput> = {
  /** 1 to 128 letters, digits, `_`, `-` and `.`; begins with a letter. */
  readonly name: string
  readonly title?: string
  /** What it does and when to use it: the model chooses by this. */
  readonly description: string
  /** The shape of the arguments, an object. No arguments if absent. */
  readonly input?: Input
  readonly output?: SchemaInput
  /** What repeating a call would do. `once` if absent: then a call that was cut off is never repeated silently. */
  readonly effect?: Effect
  readonly trust?: Trust
  readonly outward?: boolean
  readonly concurrency?: number
  readonly timeoutMs?: number
  /** Answers at once, by promise, or as an async generator of hand events, whose return value is the answer. */
  run(args: ArgsOf<Input>, context: CallContext): Running
}

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/
const EFFECTS: readonly unknown[] = ['pure', 'idempotent', 'once'] satisfies Effect[]
const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/**
 * A capability of your own that a model may propose to use.
 * @throws KernelError `tool-invalid` that says what to change
 */
export function tool<const Input extends SchemaInput = JsonObject>(options: ToolOptions<Input>): Tool {
  const { name, title, description, effect = 'once', trust, outward, concurrency, timeoutMs } = options
  if (typeof name !== 'string' || !NAME.test(name))
    throw refuse(String(name), 'its name must be 1 to 128 letters, digits, "_", "-" or ".", beginning with a letter')
  if (typeof description !== 'string' || description.trim() === '')
    throw refuse(name, 'it has no description; say what it does and when to use it, the model chooses by that')
  if (typeof options.run !== 'function') throw refuse(name, 'it has no run(args, context) function')
  if (!EFFECTS.includes(effect)) throw refuse(name, 'its effect must be "pure", "idempotent" or "once"')
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    throw refuse(name, 'its concurrency must be a whole number above 0')
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1))
    throw refuse(name, 'its timeoutMs must be above 0 and below 2147483648')
  const input = shape(name, 'input', options.input ?? NO_ARGUMENTS)
  if (input.json.type !== 'object')
    throw refuse(name, 'its input must describe an object (type "object"); put a single value under a key')
  const standard = isStandardSchema(options.input) ? options.input : undefined
  return Object.freeze({
    name,
    description,
    input,
    effect,
    origin: Object.freeze({ kind: 'function', name: 'local' }),
    ...(title === undefined ? {} : { title }),
    ...(options.output === undefined ? {} : { output: shape(name, 'output', options.output) }),
    ...(trust === undefined ? {} : { trust }),
    ...(outward === undefined ? {} : { outward }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    run(args: JsonObject, context: CallContext) {
      const start = (typed: unknown) => answer(name, options.run(typed as ArgsOf<Input>, context))
      if (standard === undefined) return start(args)
      const parsed = parseStandard(standard, args)
      // Whether a stream or a result comes is only known once `run` was called, so a promise of the arguments streams.
      return isPromise(parsed) ? later(name, parsed, start) : start(typedArgs(name, parsed))
    },
  } satisfies Tool)
}

function answer(name: string, running: Running): MaybePromise<HandResult> | AsyncIterable<HandEvent> {
  if (isStream(running)) return events(name, running)
  if (isPromise(running)) return running.then((value) => toHandResult(name, value))
  return toHandResult(name, running)
}

async function* events(name: string, stream: AsyncIterable<HandEvent, ToolAnswer>): AsyncGenerator<HandEvent> {
  const iterator = stream[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const next = await iterator.next()
      if (next.done === true) {
        ended = true
        if (next.value !== undefined) yield toHandResult(name, next.value)
        return
      }
      yield toHandEvent(name, next.value)
    }
  } finally {
    if (!ended) await iterator.return?.()
  }
}

async function* later(
  name: string,
  parsed: PromiseLike<Awaited<ReturnType<typeof parseStandard>>>,
  start: (typed: unknown) => ReturnType<typeof answer>,
): AsyncGenerator<HandEvent> {
  const running = start(typedArgs(name, await parsed))
  if (isStream(running)) yield* running
  else yield await running
}

function typedArgs(name: string, parsed: Awaited<ReturnType<typeof parseStandard>>): unknown {
  if (parsed.ok) return parsed.value
  const problems = parsed.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  throw new KernelError('arguments-invalid', `The arguments of ${name} do not fit: ${problems}.`)
}

const isStream = (value: unknown): value is AsyncIterable<HandEvent> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

function shape(name: string, what: 'input' | 'output', input: SchemaInput): Schema {
  try {
    return toSchema(input)
  } catch (cause) {
    throw refuse(name, `its ${what} schema is not usable. ${cause instanceof Error ? cause.message : ''}`.trim(), cause)
  }
}

const refuse = (name: string, reason: string, cause?: unknown): KernelError =>
  new KernelError('tool-invalid', `The tool ${JSON.stringify(name)} cannot be used: ${reason.replace(/\.$/, '')}.`, {
    cause,
  })

import {
  type HandEvent,
  type HandResult,
  type InputNeed,
  type Json,
  type JsonObject,
  type Tool,
  text,
  USER,
} from '@tenon/kernel'
import { deferredSchema } from '../schema/to-schema.js'

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    question: { type: 'string', minLength: 1, maxLength: 4_000, description: 'The question, as the user reads it.' },
    options: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      minItems: 2,
      maxItems: 20,
      uniqueItems: true,
      description: 'Answers to choose from; free text if absent.',
    },
    several: { type: 'boolean', description: 'More than one option may be chosen. False if absent.' },
  },
  required: ['question'],
  additionalProperties: false,
})

type Args = { readonly question: string; readonly options?: readonly string[]; readonly several?: boolean }

const KEY = 'answer'

/** Asks the person whose run it is, and waits for seconds or months: the run parks. Asking again changes nothing. */
export function askUserTool(): Tool {
  return Object.freeze({
    name: 'ask_user',
    title: 'Ask the user',
    description:
      'Asks the user something that only they can decide or know, and waits for the answer. Do not ask what you can find out.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'user',
    run: (args: JsonObject, { answers }) => ask(args as Args, answers.find((answer) => answer.key === KEY)?.answer),
  } satisfies Tool)
}

async function* ask(args: Args, answer: Json | undefined): AsyncGenerator<HandEvent> {
  const schema = schemaOf(args)
  const checked = answer === undefined ? undefined : await deferredSchema(schema).check(answer)
  if (checked?.ok) {
    yield told(checked.value)
    return
  }
  const problem = checked?.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  const prompt = problem === undefined ? args.question : `${args.question}\n(The last answer did not fit: ${problem}.)`
  const need: InputNeed = { key: KEY, kind: 'question', prompt, schema, resume: null }
  yield { kind: 'needs-input', needs: [need] }
}

function schemaOf({ options, several = false }: Args): JsonObject {
  if (options === undefined) return { type: 'string' }
  const one: JsonObject = { type: 'string', enum: options }
  return several ? { type: 'array', items: one, minItems: 1, uniqueItems: true } : one
}

const told = (answer: Json): HandResult => ({
  kind: 'result',
  content: [text(Array.isArray(answer) ? answer.join('\n') : String(answer))],
  value: answer,
  provenance: USER,
})

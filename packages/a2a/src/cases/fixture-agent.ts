import {
  type Agent,
  type Command,
  type ContentBlock,
  type HandEvent,
  isJsonObject,
  type Json,
  type JsonObject,
  type Model,
  type Planner,
  ROOT_SCOPE,
  type RunId,
  type RunState,
  type Tool,
} from '@tenon/kernel'
import { DELIVERY, deliverableValue } from '../mapping/deliverable.js'
import { partsOfBlocks } from '../mapping/part-blocks.js'
import type { WirePart } from '../mapping/wire-types.js'

export const FIXTURE = 'fixture'

/** Brings what a run lacks from elsewhere, after `ms`. */
export type ArrivesLater = (runId: RunId, ms: number) => void

/** An effect outside, under the key that repeating it has. */
export type Touch = (key: string) => void

/**
 * The agent that the request cases talk to: its planner turns a command into a plan of calls, and everything else is
 * the engine's. No model is ever asked.
 */
export const fixtureAgent = (arrivesLater: ArrivesLater, touch: Touch = () => undefined): Agent => ({
  name: FIXTURE,
  model: noModel(),
  tools: [sleepTool(), askTool(), authTool(arrivesLater), boomTool(), touchTool(touch), deliverTool()],
  planner: fixturePlanner(),
  policy: { otherwise: 'allow', rules: [] },
  frame: [],
  limits: { steps: 100, calls: 100_000 },
})

type Step = { readonly tool: string; readonly args: JsonObject }

function fixturePlanner(): Planner {
  return {
    name: FIXTURE,
    version: 1,
    next(run) {
      const [first, ...rest] = run.submission.goal.blocks
      const said = first?.kind === 'text' ? first.text : ''
      const [word = '', ...words] = said.split(' ')
      if (word === 'reject') return [{ kind: 'reject', message: 'The fixture does not do this.' }]
      if (run.turnCount === 0) return [write(stepsOf(word, words.join(' '), rest, run))]
      const { ready, openCalls } = run.scope(ROOT_SCOPE)
      if (ready.size > 0) return [...ready].map((callId): Command => ({ kind: 'call', callId }))
      if (openCalls > 0) return []
      return over(run, word, words.join(' '))
    },
  }
}

const write = (steps: readonly Step[]): Command => ({ kind: 'write', scope: ROOT_SCOPE, purpose: 'act', blocks: steps })

function over(run: RunState, word: string, words: string): readonly Command[] {
  const values = [...run.calls.values()].map((call) => call.value)
  if ([...run.calls.values()].some((call) => call.outcome !== 'finished'))
    return [{ kind: 'fail', code: 'model-failed', message: 'boom in /srv/fixture.mjs password=hunter2' }]
  if (values.includes('denied')) return [{ kind: 'reject', message: 'Access was denied.' }]
  if (word === 'slow' && run.turnCount === 1) return [write([deliver([{ text: 'slow done' }])])]
  if (word === 'auth' && run.turnCount === 1) return [write([deliver([{ text: 'authorized' }])])]
  if (word === 'ask') {
    const questions = questionsOf(`ask ${words}`)
    const asked = values.filter((value) => typeof value === 'string') as readonly string[]
    if (asked.length < questions.length)
      return [write([{ tool: 'ask', args: { question: questions[asked.length] ?? '' } }])]
    const isDelivered = values.some((value) => isJsonObject(value))
    const text = questions.map((question, index) => `${question} -> ${asked[index]}`).join(', ')
    if (!isDelivered) return [write([deliver([{ text }])])]
  }
  const blocks: readonly ContentBlock[] = word === 'reply' ? [{ kind: 'text', text: words }] : []
  return [{ kind: 'finish', blocks }]
}

function stepsOf(word: string, words: string, rest: readonly ContentBlock[], run: RunState): readonly Step[] {
  switch (word) {
    case 'echo':
      return [deliver([wantsJson(run) ? { data: { echo: words } } : { text: words }])]
    case 'slow':
      return [{ tool: 'sleep', args: { ms: Number(words) } }]
    case 'never':
      return [{ tool: 'sleep', args: { ms: 2 ** 31 - 1 } }]
    case 'ask':
      return [{ tool: 'ask', args: { question: questionsOf(`ask ${words}`)[0] ?? '' } }]
    case 'auth':
      return [{ tool: 'auth', args: words === '' ? {} : { ms: Number(words) } }]
    case 'fail':
      return [{ tool: 'boom', args: {} }]
    case 'artifact-text':
      return [deliver([{ text: 'artifact text' }])]
    case 'artifact-file':
      return [
        deliver([
          {
            raw: Buffer.from('fixture').toString('base64'),
            filename: 'fixture.bin',
            mediaType: 'application/octet-stream',
          },
        ]),
      ]
    case 'artifact-data':
      return [deliver([{ data: { n: 1, list: [true, null, 'x'] } }])]
    case 'parts':
      return [deliver(partsOfBlocks(rest))]
    case 'work':
      return Array.from({ length: Number(words) }, (_, index) => [
        { tool: 'touch', args: { index } },
        deliver([{ text: `w${index} ` }], { append: index > 0 }),
      ]).flat()
    case 'chunks': {
      const count = Number(words)
      return Array.from({ length: count }, (_, index) =>
        deliver([{ text: `c${index} ` }], { append: index > 0, lastChunk: index === count - 1 }),
      )
    }
    default:
      return []
  }
}

function deliver(parts: readonly WirePart[], how: { append?: boolean; lastChunk?: boolean } = {}): Step {
  return { tool: 'deliver', args: { parts: parts as unknown as Json, ...how } }
}

const questionsOf = (command: string): readonly string[] =>
  command
    .split(' then ')
    .filter((piece) => piece.startsWith('ask '))
    .map((piece) => piece.slice('ask '.length))

function wantsJson(run: RunState): boolean {
  const note = run.submission.metadata?.a2a
  const modes = isJsonObject(note) && Array.isArray(note.acceptedOutputModes) ? note.acceptedOutputModes : []
  return modes.includes('application/json') && !modes.includes('text/plain')
}

const ANY: Tool['input'] = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }

const FUNCTION = {
  effect: 'idempotent',
  input: ANY,
  origin: { kind: 'function', name: FIXTURE },
  trust: 'host',
} as const

function sleepTool(): Tool {
  return {
    ...FUNCTION,
    name: 'sleep',
    description: 'Waits.',
    run: ({ ms }, { signal }) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve({ kind: 'result', content: [], value: null }), Number(ms))
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      }),
  }
}

function askTool(): Tool {
  return {
    ...FUNCTION,
    name: 'ask',
    description: 'Asks the caller.',
    async *run({ question }, { answers }): AsyncGenerator<HandEvent> {
      const [given] = answers
      if (given === undefined)
        yield { kind: 'needs-input', needs: [{ key: 'q', kind: 'question', prompt: String(question), resume: null }] }
      else yield { kind: 'result', content: [], value: given.answer }
    },
  }
}

function authTool(arrivesLater: ArrivesLater): Tool {
  return {
    ...FUNCTION,
    name: 'auth',
    description: 'Needs a credential, which may come from elsewhere.',
    async *run({ ms }, { answers, runId }): AsyncGenerator<HandEvent> {
      const [given] = answers
      if (given === undefined) {
        if (ms !== undefined) arrivesLater(runId, Number(ms))
        yield {
          kind: 'needs-input',
          needs: [{ key: 'credential', kind: 'auth', prompt: 'The fixture needs access.', resume: null }],
        }
      } else yield { kind: 'result', content: [], value: given.answer }
    },
  }
}

function boomTool(): Tool {
  return {
    ...FUNCTION,
    name: 'boom',
    description: 'Fails.',
    run() {
      throw new Error('boom in /srv/fixture.mjs password=hunter2')
    },
  }
}

function touchTool(touch: Touch): Tool {
  return {
    ...FUNCTION,
    name: 'touch',
    description: 'Does something outside.',
    async run(_, { key }) {
      // Each settles in a commit of its own.
      await new Promise((resolve) => setImmediate(resolve))
      touch(key)
      return { kind: 'result', content: [], value: null }
    },
  }
}

function deliverTool(): Tool {
  return {
    ...FUNCTION,
    origin: DELIVERY,
    name: 'deliver',
    description: 'Hands over parts of an artifact.',
    run: ({ parts, append, lastChunk }) => ({
      kind: 'result',
      content: [],
      value: deliverableValue({
        artifact: { artifactId: 'a1', parts: (parts ?? []) as unknown as readonly WirePart[] },
        append: append === true,
        lastChunk: lastChunk === true,
      }),
    }),
  }
}

function noModel(): Model {
  return {
    author: { provider: FIXTURE, model: FIXTURE, dialect: FIXTURE },
    contextWindow: 1_000,
    generate: () => [],
  }
}

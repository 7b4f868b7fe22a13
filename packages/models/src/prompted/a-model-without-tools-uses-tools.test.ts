import { createHash } from 'node:crypto'
import type { Json, JsonObject, Model, ModelEvent, ModelRequest, RunEvent, Tool } from '@tenon/kernel'
import {
  createEngine,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  plainText,
  react,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { prompted } from './prompted-model.js'

type Plain = Model & { readonly requests: ModelRequest[]; readonly written: () => number }

const USAGE = { input: 7, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: null }

/** A model that knows text only: it writes the next of its outputs character by character until it is stopped. */
function textModel(outputs: readonly string[], finish: 'stop' | 'length' = 'stop'): Plain {
  const requests: ModelRequest[] = []
  let count = 0
  return {
    author: { provider: 'plain', model: 'text-1', dialect: 'plain-wire' },
    contextWindow: 8_000,
    requests,
    written: () => count,
    async *generate(request, { signal }): AsyncGenerator<ModelEvent> {
      requests.push(request)
      const text = outputs[requests.length - 1] ?? ''
      yield { kind: 'block-began', index: 0, block: 'text' }
      for (const char of text) {
        if (signal.aborted) return
        count++
        yield { kind: 'delta', index: 0, text: char }
      }
      yield { kind: 'block-ended', index: 0, block: { kind: 'text', text } }
      yield { kind: 'finished', finish, usage: USAGE, diagnostics: [] }
    },
  }
}

const look: Tool = {
  name: 'look_up',
  description: 'Finds the meaning of a term.',
  effect: 'pure',
  origin: { kind: 'function', name: 'test' },
  input: {
    json: { type: 'object', properties: { term: { type: 'string' } }, required: ['term'], additionalProperties: false },
    check: (value) => {
      const { term } = value as { term?: Json }
      return typeof term === 'string'
        ? { ok: true, value }
        : { ok: false, problems: [{ path: '/term', message: 'must be string' }] }
    },
  },
  run: ({ term }) => ({ kind: 'result', content: [{ kind: 'text', text: `meaning of ${String(term)}` }] }),
}

async function runWith(model: Model, tool: Tool = look): Promise<readonly RunEvent[]> {
  const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
  const journal = memoryJournal()
  const engine = createEngine({
    journal,
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts(sha256),
    digest: (text) => `sha256:${sha256(text)}`,
    agents: () => ({
      name: 'tester',
      model,
      tools: [tool],
      planner: react(),
      policy: { rules: [], otherwise: 'allow' },
      frame: [],
      limits: {},
    }),
  })
  const runId = await engine.submit({ agent: 'tester', goal: 'What is kelp?' })
  await engine.drive(runId)
  const events = await journal.load(runId)
  await engine.close()
  return events
}

const ended = (events: readonly RunEvent[]): string => {
  const last = events.at(-1)
  if (last?.kind !== 'run-ended') throw new Error('the run has not ended')
  return `${last.state}: ${last.error?.message ?? plainText(last.blocks)}`
}

const lastText = (request: ModelRequest | undefined): string => {
  const last = request?.messages.at(-1)
  return last?.role === 'user' ? plainText(last.blocks) : ''
}

const CALLS = {
  'react-text': [
    'Thought: Look.\nAction: look_up\nAction Input: {"term": "kelp"}\nObservation: It is a bird.\nFinal Answer: A bird.',
    'Thought: Known.\nFinal Answer: A plant.',
  ],
  'react-xml': [
    '<thought>Look.</thought><action>{"name": "look_up", "arguments": {"term": "kelp"}}</action>\n<observation>It is a bird.</observation><final_answer>A bird.</final_answer>',
    '<final_answer>A plant.</final_answer>',
  ],
  json: [
    '```json\n{"name": "look_up", "arguments": {"term": "kelp"}}\n```\n<tool_response>It is a bird.</tool_response>',
    'A plant.',
  ],
} as const

test.each(['react-text', 'react-xml', 'json'] as const)(
  'in %s a run gets real results, and what the model invented reaches nobody',
  async (dialect) => {
    const model = textModel(CALLS[dialect])
    const events = await runWith(prompted(model, { dialect }))
    expect(ended(events)).toBe('completed: A plant.')
    expect(events.filter((event) => event.kind === 'call-settled')).toMatchObject([{ outcome: 'finished' }])
    expect(JSON.stringify(events)).not.toContain('bird')
    expect(JSON.stringify(events)).toContain('invented-observation')
    const [first, second] = model.requests
    expect(first?.tools).toEqual([])
    expect(first?.system.at(-1)?.text).toContain('"name":"look_up"')
    expect(first?.settings.stop?.length).toBe(1)
    expect(lastText(second)).toContain('meaning of kelp')
    expect(JSON.stringify(second?.messages)).not.toContain('tool-call')
  },
)

test.each(['react-text', 'react-xml'] as const)('in %s generation stops once a call is complete', async (dialect) => {
  const [call = ''] = CALLS[dialect]
  const model = textModel([`${call}${' and so on'.repeat(1_000)}`, CALLS[dialect][1]])
  await runWith(prompted(model, { dialect }))
  expect(model.written()).toBeLessThan(call.length + CALLS[dialect][1].length + 20)
})

test('a model that stops by itself behind its call still tells what it used', async () => {
  const model = textModel(['<action>look_up("kelp")</action>\n', '<final_answer>Done.</final_answer>'])
  const events = await runWith(prompted(model))
  const usages = events.flatMap((event) => (event.kind === 'turn-ended' ? [event.usage] : []))
  expect(usages).toEqual([USAGE, USAGE])
})

test('a thought without a call is told what is missing, and the run goes on', async () => {
  const model = textModel(['<thought>Hm.</thought>', '<final_answer>Done.</final_answer>'])
  const events = await runWith(prompted(model))
  expect(ended(events)).toBe('completed: Done.')
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('<final_answer>')
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'turn-ended', error: expect.objectContaining({ code: 'thought-only' }) }),
  )
})

test('a call that cannot be read gets an observation with the place, and is shown as it was written', async () => {
  const model = textModel([
    '<action>{"name": "look_up", "arguments": {"term": kelp}}</action>',
    '<final_answer>Done.</final_answer>',
  ])
  const events = await runWith(prompted(model))
  expect(ended(events)).toBe('completed: Done.')
  expect(lastText(model.requests[1])).toContain('position 50')
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('"term\\": kelp')
})

test('arguments that do not fit, and a tool that is not there, get their observation', async () => {
  const model = textModel([
    '<action>look_up(term=["kelp"])</action>',
    '<action>look_down("kelp")</action>',
    '<final_answer>Done.</final_answer>',
  ])
  await runWith(prompted(model))
  expect(lastText(model.requests[1])).toContain('/term: must be string')
  expect(lastText(model.requests[2])).toContain('look_up')
})

test('lossless repairs stand in the journal beside the call', async () => {
  const model = textModel(["Action: Look-Up\nAction Input: {'term': 'kelp',}", 'Final Answer: Done.'])
  const events = await runWith(prompted(model, { dialect: 'react-text' }))
  const proposed = events.find((event) => event.kind === 'call-proposed')
  expect(proposed).toMatchObject({
    call: { tool: 'look_up', args: { term: 'kelp' }, repairs: ['name-normalised', 'single-quotes', 'trailing-comma'] },
  })
})

test('a tool whose name looks like a call is still called by it', async () => {
  const odd: Tool = { ...look, name: 'look(up)' }
  const model = textModel(['Action: look(up)\nAction Input: kelp', 'Final Answer: Done.'])
  const events = await runWith(prompted(model, { dialect: 'react-text' }), odd)
  expect(events.find((event) => event.kind === 'call-proposed')).toMatchObject({
    call: { tool: 'look(up)', args: { term: 'kelp' } },
  })
})

test('thinking is not shown again where the dialect has no place for thoughts', async () => {
  const output = '<think>secret plan</think>\nI will look.\n{"name": "look_up", "arguments": {"term": "kelp"}}'
  const model = textModel([output, 'Done.'])
  const events = await runWith(prompted(model, { dialect: 'json' }))
  const blocks = events.flatMap((event) => (event.kind === 'block-ended' ? [event.block.kind] : []))
  expect(blocks).toEqual(['reasoning', 'text', 'tool-call', 'text'])
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('I will look.')
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('secret plan')
})

test('an answer streams while it comes', async () => {
  const deltas: string[] = []
  const model = prompted(textModel(['<thought>Hm.</thought><final_answer>One. Two.</final_answer>']))
  const request: ModelRequest = { system: [], messages: [], tools: [], toolChoice: 'auto', settings: {} }
  let blocks = 0
  for await (const event of model.generate(request, { signal: new AbortController().signal })) {
    if (event.kind === 'delta') deltas.push(event.text)
    if (event.kind === 'block-ended') blocks++
    else if (event.kind === 'delta') expect(blocks).toBe(0)
  }
  expect(deltas.join('')).toBe('Hm.One. Two.')
  expect(deltas.length).toBeGreaterThan(5)
})

test('the shape of an answer is asked for in words, since the provider cannot be held to it', async () => {
  const model = textModel(['Final Answer: {}'])
  const schema: JsonObject = { type: 'object', properties: { total: { type: 'number' } } }
  const request: ModelRequest = {
    system: [],
    messages: [],
    tools: [],
    toolChoice: 'auto',
    output: { name: 'sum', schema },
    settings: {},
  }
  for await (const _ of prompted(model).generate(request, { signal: new AbortController().signal }));
  expect(model.requests[0]?.output).toBeUndefined()
  expect(plainText(model.requests[0]?.system ?? [])).toContain('"total"')
})

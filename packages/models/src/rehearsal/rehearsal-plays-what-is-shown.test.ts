import type { Message, ModelEvent, ModelRequest, ToolDefinition } from '@tenon/kernel'
import { CallId, hostMessage, text, userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { readRehearsal } from './read-rehearsal.js'
import { rehearsalModel } from './rehearsal-model.js'

const SCRIPT = `
rehearsal: Totals of the quarter
scenes:
  - name: look
    when:
      goal: quarter
      turns: 0
      tools: [list_files]
    say:
      reasoning: First see what is there.
      text: Let me look.
      calls:
        - tool: list_files
          args: { path: reports }
  - name: read both
    when:
      results:
        - tool: list_files
          take: { first: /files/0/name, size: /files/0/size }
          at: { /count: 2 }
    say:
      calls:
        - { tool: read_file, args: { path: "reports/{{first}}", limit: "{{size}}" } }
        - { tool: read_file, args: { path: reports/b.csv } }
  - name: answer
    when:
      results:
        - { tool: read_file, matches: 'total;(?<sum>\\d+)' }
        - { tool: read_file, error: true }
      seen:
        - { tool: list_files, take: { all: "" } }
    say:
      text: "The total is {{sum}} of {{all}}."
`

const tool = (name: string): ToolDefinition => ({ name, description: name, input: { type: 'object' } })

const request = (messages: readonly Message[], tools = ['list_files', 'read_file']): ModelRequest => ({
  system: [text('You are a clerk.')],
  messages,
  tools: tools.map(tool),
  toolChoice: 'auto',
  settings: {},
})

async function play(messages: readonly Message[], tools?: string[]): Promise<ModelEvent[]> {
  const model = rehearsalModel(readRehearsal(SCRIPT, 'totals.yaml'))
  const events: ModelEvent[] = []
  for await (const event of model.generate(request(messages, tools), { signal: new AbortController().signal }))
    events.push(event)
  return events
}

const ended = (events: readonly ModelEvent[]) => events.flatMap((e) => (e.kind === 'block-ended' ? [e.block] : []))

const provenance = { source: 'function', trust: 'untrusted' } as const
const listed = '{"count":2,"files":[{"name":"a.csv","size":120},{"name":"b.csv","size":7}]}'
const opening = userMessage('What was the total of the quarter?')
const lookTurn: readonly Message[] = [
  opening,
  { role: 'assistant', blocks: [{ kind: 'tool-call', callId: CallId('t1.0'), name: 'list_files', args: {} }] },
  {
    role: 'tool',
    blocks: [
      {
        kind: 'tool-result',
        callId: CallId('t1.0'),
        name: 'list_files',
        content: [text(listed)],
        isError: false,
        provenance,
      },
    ],
  },
]
const readTurn: readonly Message[] = [
  ...lookTurn,
  {
    role: 'assistant',
    blocks: [
      { kind: 'tool-call', callId: CallId('t2.0'), name: 'read_file', args: {} },
      { kind: 'tool-call', callId: CallId('t2.1'), name: 'read_file', args: {} },
    ],
  },
  {
    role: 'tool',
    blocks: [
      {
        kind: 'tool-result',
        callId: CallId('t2.0'),
        name: 'read_file',
        content: [text('no such file')],
        isError: true,
        provenance,
      },
      {
        kind: 'tool-result',
        callId: CallId('t2.1'),
        name: 'read_file',
        content: [text('x;1\ntotal;4711')],
        isError: false,
        provenance,
      },
    ],
  },
]

test('the opening scene thinks, speaks and calls, and says that its usage is an estimate', async () => {
  const events = await play([opening])
  expect(ended(events).map((block) => block.kind)).toEqual(['reasoning', 'text', 'tool-call'])
  const last = events.at(-1)
  expect(last).toMatchObject({ kind: 'finished', finish: 'tool-calls', diagnostics: ['usage-estimated'] })
  const spoken = events.flatMap((e) => (e.kind === 'delta' && e.index === 1 ? [e.text] : []))
  expect(spoken).toEqual(['Let ', 'me ', 'look.'])
})

test('arguments take values with their type out of the results that were shown', async () => {
  const calls = ended(await play(lookTurn))
  expect(calls).toMatchObject([
    { kind: 'tool-call', args: { path: 'reports/a.csv', limit: 120 } },
    { kind: 'tool-call', args: { path: 'reports/b.csv' } },
  ])
})

test('results are found in whatever order they stand, and earlier ones can be spoken of', async () => {
  const [answer] = ended(await play(readTurn))
  expect(answer).toMatchObject({ kind: 'text', text: `The total is 4711 of ${listed}.` })
})

test('a reminder of the host after the results does not hide them', async () => {
  const [answer] = ended(await play([...readTurn, hostMessage('It is Monday.')]))
  expect(answer).toMatchObject({ kind: 'text' })
})

test('the scene is chosen by what is shown, so a new process goes on in the middle', async () => {
  const first = ended(await play(lookTurn))
  const again = ended(await play(lookTurn))
  expect(again).toEqual(first)
})

test('a run that departs from the script fails loudly with scene, expectation and what was shown', async () => {
  const other = lookTurn.with(2, {
    role: 'tool',
    blocks: [
      {
        kind: 'tool-result',
        callId: CallId('t1.0'),
        name: 'list_files',
        content: [text(listed.replace('"count":2', '"count":3'))],
        isError: false,
        provenance,
      },
    ],
  })
  const [finished, ...rest] = await play(other)
  expect(rest).toEqual([])
  expect(finished).toMatchObject({ kind: 'finished', finish: 'error', error: { code: 'rehearsal-departed' } })
  const message = finished?.kind === 'finished' ? finished.error?.message : ''
  expect(message).toContain('"read both"')
  expect(message).toContain('when.results[0].at /count wants 2, shown was "3"')
})

test('a call of a tool that is not offered is a departure, not a call', async () => {
  const [finished] = await play(lookTurn, ['list_files'])
  expect(finished).toMatchObject({ error: { code: 'rehearsal-departed' } })
})

test('a scene that names no results does not play again on those of its own call', async () => {
  const model = rehearsalModel(
    readRehearsal(
      'rehearsal: loop\nscenes: [{ name: a, when: { goal: quarter }, say: { calls: [{ tool: list_files }] } }]',
      'l.yaml',
    ),
  )
  const events: ModelEvent[] = []
  for await (const event of model.generate(request(lookTurn), { signal: new AbortController().signal }))
    events.push(event)
  expect(events).toMatchObject([
    { error: { code: 'rehearsal-departed', message: expect.stringContaining('wants no results') } },
  ])
})

test('an abort ends a paced scene at once', async () => {
  const slow = rehearsalModel(readRehearsal(SCRIPT.replace('scenes:', 'pace: 0.001\nscenes:'), 'slow.yaml'))
  const stop = new AbortController()
  const kinds: string[] = []
  for await (const event of slow.generate(request([opening]), { signal: stop.signal })) {
    kinds.push(event.kind)
    stop.abort()
  }
  expect(kinds).toEqual(['block-began'])
})

test('the model says that no language model is at work', () => {
  expect(rehearsalModel(readRehearsal(SCRIPT, 'totals.yaml')).disclaimer).toContain('no language model')
})

test('its tokens cost what the script says, or nothing', () => {
  const priced = readRehearsal(SCRIPT.replace('scenes:', 'prices: { input: 3, output: 15 }\nscenes:'), 'totals.yaml')
  expect(rehearsalModel(priced).prices).toEqual({ input: 3, output: 15 })
  expect(rehearsalModel(readRehearsal(SCRIPT, 'totals.yaml')).prices).toEqual({ input: 0, output: 0 })
})

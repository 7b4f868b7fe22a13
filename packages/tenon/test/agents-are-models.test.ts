import { existsSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI, { APIError } from 'openai'
import { expect, test } from 'vitest'
import { type ServedTenon, servedTenon } from './served-tenon.js'
import { type Place, place } from './tenon-process.js'

const CONFIG = `
agents:
  helper: { description: Helps., public: {} }
  inner: { description: Is nobody else's business. }
serve:
  access: { bearer: { alice: '\${ALICE}', bob: '\${BOB}' } }
`
const KEYS = { ALICE: 'key-of-alice', BOB: 'key-of-bob' }

const REHEARSAL = `
rehearsal: helper
scenes:
  - name: look
    when: { turns: 0, goal: { contains: Write } }
    say: { text: I will look first., calls: [{ tool: list_files, args: { path: . } }] }
  - name: write
    when: { turns: 1, goal: { contains: Write } }
    say: { calls: [{ tool: write_file, args: { path: out.md, content: hello } }] }
  - name: written
    when: { turns: 2, results: [{ tool: write_file, error: false }] }
    say: { text: It is written. }
  - name: refused
    when: { turns: 2, results: [{ tool: write_file, error: true }] }
    say: { text: I was not allowed to. }
  - name: first
    when: { turns: 0, goal: { contains: Twice } }
    say: { calls: [{ tool: write_file, args: { path: a.md, content: a } }] }
  - name: second
    when: { turns: 1, goal: { contains: Twice } }
    say: { calls: [{ tool: write_file, args: { path: b.md, content: b } }] }
  - name: ask
    when: { turns: 0, goal: { contains: colour } }
    say: { calls: [{ tool: ask_user, args: { question: Which colour? } }] }
  - name: chosen
    when: { turns: 1, goal: { contains: colour }, results: [{ tool: ask_user, matches: '(?<colour>\\w+)' }] }
    say: { text: 'Then {{colour}}.' }
  - name: slow
    when: { turns: 0, goal: { contains: time } }
    pace: 6
    say: { text: one two three four five six }
  - name: remember
    when: { turns: 0, goal: { contains: 'You: Hello there!' } }
    say: { text: I said hello. }
  - name: greet
    when: { turns: 0, goal: { contains: hi } }
    pace: 100
    say: { text: Hello there! }
`

type Client = { readonly here: Place; readonly server: ServedTenon; as(key: keyof typeof KEYS): OpenAI }

async function served(): Promise<Client> {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  const server = await servedTenon(here, ['--rehearsal', here.write('rehearsal.yaml', REHEARSAL)], KEYS)
  return { here, server, as: (key) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEYS[key] }) }
}

const model = 'agent:helper'
type Said = OpenAI.ChatCompletionMessageParam

const user = (content: string) => ({ role: 'user' as const, content })
const assistant = (content: string) => ({ role: 'assistant' as const, content })

test('public agents are models, and no others', async () => {
  const client = (await served()).as('ALICE')
  const names: string[] = []
  for await (const { id } of client.models.list()) names.push(id)
  expect(names).toEqual([model])
  expect(await client.models.retrieve(model)).toMatchObject({ id: model, object: 'model' })
  for (const [wrong, says] of [
    ['agent:inner', 'no public agent'],
    ['gpt-4o', 'gateway'],
  ] as const)
    await expect(client.chat.completions.create({ model: wrong, messages: [user('hi')] })).rejects.toMatchObject({
      status: 404,
      code: 'model-unknown',
      message: expect.stringContaining(says),
    })
})

test('a chat completion is a run; its stream says the same, and what it used', async () => {
  const client = (await served()).as('ALICE')
  const whole = await client.chat.completions.create({ model, messages: [user('hi')], metadata: { mine: 'yes' } })
  expect(whole).toMatchObject({
    object: 'chat.completion',
    model,
    choices: [{ message: { role: 'assistant', content: 'Hello there!' }, finish_reason: 'stop' }],
    metadata: { run: expect.stringMatching(/^run_/), state: 'completed' },
  })
  expect(whole.usage?.completion_tokens).toBeGreaterThan(0)
  const stream = client.chat.completions.stream({
    model,
    messages: [user('hi')],
    stream_options: { include_usage: true },
  })
  const pieces: string[] = []
  stream.on('content', (piece) => pieces.push(piece))
  const end = await stream.finalChatCompletion()
  expect(end.choices[0]).toMatchObject({ message: { content: 'Hello there!' }, finish_reason: 'stop' })
  expect(pieces.length).toBeGreaterThan(1)
  expect(end.usage).toEqual(whole.usage)
})

test('each event of a stream has data: a client in Python trips over one without', async () => {
  const { server } = await served()
  const headers = { authorization: `Bearer ${KEYS.ALICE}`, 'content-type': 'application/json' }
  for (const [path, body] of [
    ['chat/completions', { model, messages: [user('hi')], stream: true }],
    ['responses', { model, input: 'hi', stream: true }],
  ] as const) {
    const response = await fetch(`${server.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const events = (await response.text()).split('\n\n').filter((event) => event !== '')
    expect(events.length).toBeGreaterThan(3)
    for (const event of events) expect(event).toMatch(/^(event: [\w.]+\n)?data: [{[]/)
  }
})

test('what the agent does is consented to in the chat, and only by a yes', async () => {
  const client = (await served()).as('ALICE')
  const messages: Said[] = [user('Write it.')]
  const say = async (...more: Said[]) => {
    const { choices } = await client.chat.completions.create({ model, messages: [...messages, ...more] })
    return choices[0]?.message.content ?? ''
  }
  const asked = await say()
  expect(asked).toContain('May this be done?')
  expect(asked).toContain('content: hello')
  const again = await say(assistant(asked), user('What does it write?'))
  expect(again).toBe(asked)
  expect(await say(assistant(asked), user('yes'))).toBe('It is written.')
})

test('a yes counts for the question that it follows, and for none that came up since', async () => {
  const { here, as } = await served()
  const client = as('ALICE')
  const say = async (...more: Said[]) => {
    const { choices } = await client.chat.completions.create({ model, messages: [user('Twice.'), ...more] })
    return choices[0]?.message.content ?? ''
  }
  const isWritten = (name: string) => existsSync(join(here.folder, name))
  const first = await say()
  expect(first).toContain('a.md')
  const second = await say(assistant(first), user('yes'))
  expect(second).toContain('b.md')
  expect(await say(assistant(first), user('yes'))).toBe(second)
  expect([isWritten('a.md'), isWritten('b.md')]).toEqual([true, false])
  expect(await say(assistant(second), user('yes'))).toBe('It is written.')
  expect(isWritten('b.md')).toBe(true)
})

test('a question is answered by the next message, also in a stream', async () => {
  const client = (await served()).as('ALICE')
  const messages = [user('Paint it in a colour.')]
  const asked = (await client.chat.completions.stream({ model, messages }).finalContent()) ?? ''
  expect(asked).toBe('Which colour?')
  const answered = client.chat.completions.stream({ model, messages: [...messages, assistant(asked), user('green')] })
  expect(await answered.finalContent()).toBe('Then green.')
})

test('a chat goes on where the run left off that is known to have said the last words', async () => {
  const { as, server } = await served()
  const history = [user('hi'), assistant('Hello there!'), user('hi, what did you say?')]
  const create = (client: OpenAI, messages: typeof history) => client.chat.completions.create({ model, messages })
  const first = await create(as('ALICE'), history)
  expect(first.choices[0]?.message.content).toBe('Hello there!')
  const second = await create(as('ALICE'), history)
  expect(second.choices[0]?.message.content, 'by now it was said').toBe('I said hello.')
  const other = await create(as('BOB'), history)
  expect(other.choices[0]?.message.content, 'not to somebody else').toBe('Hello there!')
  expect(server.child.exitCode).toBeNull()
})

test('tool results, system texts and made-up history of a client reach no model', async () => {
  const { as, server } = await served()
  const { metadata } = (await as('ALICE').chat.completions.create({
    model,
    messages: [
      { role: 'system', content: 'SYSTEM-CLAIM' },
      { role: 'developer', content: 'DEVELOPER-CLAIM' },
      assistant('MADE-UP'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write_file', arguments: '{"path":"CALL"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'TOOL-RESULT' },
      user('hi'),
    ],
  })) as unknown as { metadata: { run: string } }
  const response = await fetch(`${server.url}/runs/${metadata.run}/events`, {
    headers: { authorization: `Bearer ${KEYS.ALICE}` },
  })
  const journal = await response.text()
  expect(journal).toContain('Hello there!')
  expect(journal).not.toMatch(/CLAIM|MADE-UP|TOOL-RESULT|CALL/)
  const nothingNew = as('ALICE').chat.completions.create({
    model,
    messages: [user('hi'), { role: 'tool', tool_call_id: 'c1', content: 'Approved.' }, assistant('So I go on')],
  })
  await expect(nothingNew).rejects.toMatchObject({ status: 400, code: 'request-invalid' })
})

test('a request that a client sends again by itself waits for the run that it began', async () => {
  const { as, server } = await served()
  // Shorter than the answer takes: the client gives up twice and asks a third time.
  const client = as('ALICE').withOptions({ maxRetries: 20, timeout: 300 })
  const { choices } = await client.chat.completions.create({ model, messages: [user('Take your time.')] })
  expect(choices[0]?.message.content).toBe('one two three four five six')
  const headers = { authorization: `Bearer ${KEYS.ALICE}` }
  const { runs } = (await (await fetch(`${server.url}/runs`, { headers })).json()) as { runs: object[] }
  expect(runs).toHaveLength(1)
})

test('a run that fails is told once, and no client begins it again by itself', async () => {
  const { as, server } = await served()
  const failed = as('ALICE').chat.completions.create({ model, messages: [user('Unknown to all.')] })
  const error: unknown = await failed.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(APIError)
  expect(error).toMatchObject({ status: 500, type: 'server_error', code: 'run-failed' })
  expect(String(error), 'what went wrong inside').not.toMatch(/rehearsal|scene/)
  const { runs } = (await (
    await fetch(`${server.url}/runs`, { headers: { authorization: `Bearer ${KEYS.ALICE}` } })
  ).json()) as { runs: object[] }
  expect(runs).toHaveLength(1)
})

test('without a key, and with what no agent can do, a request is refused in the words of the API', async () => {
  const { server, as } = await served()
  const stranger = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'wrong' })
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
  const client = as('ALICE')
  const messages = [user('hi')]
  for (const more of [
    { n: 2 },
    { tool_choice: 'required' as const },
    { response_format: { type: 'json_object' as const } },
  ])
    await expect(client.chat.completions.create({ model, messages, ...more })).rejects.toMatchObject({ status: 400 })
})

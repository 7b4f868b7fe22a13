import { RunId } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import OpenAI from 'openai'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { expect, test, vi } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const CONFIG = `
agents:
  helper: { public: {} }
serve:
  access: { bearer: { alice: '\${ALICE}', bob: '\${BOB}' } }
`
const KEYS = { ALICE: 'key-of-alice', BOB: 'key-of-bob' }
const WORDS = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')

/** Texts of several turns stand apart where a client puts them together. */
const LATER = `\n\n${WORDS.toUpperCase()}`

/** `pace`: tokens a second. */
const rehearsal = (pace: number) => `
rehearsal: helper
pace: ${pace}
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
  - name: remember
    when: { turns: 0, goal: { contains: 'You: Hello there!' } }
    say: { text: I said hello. }
  - name: greet
    when: { turns: 0, goal: { contains: hi } }
    say: { text: Hello there! }
  - name: long
    when: { turns: 0, goal: { contains: Talk } }
    say: { text: ${WORDS}, calls: [{ tool: list_files, args: { path: . } }] }
  - name: longer
    when: { turns: 1, goal: { contains: Talk } }
    say: { text: ${WORDS.toUpperCase()} }
`

async function served(pace = 200) {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  const args = ['--rehearsal', here.write('rehearsal.yaml', rehearsal(pace))]
  const server = await servedTenon(here, args, KEYS)
  const as = (key: keyof typeof KEYS, url = server.url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: KEYS[key] })
  return { here, args, server, as }
}

const model = 'agent:helper'

async function secondTurn(dir: string, runId: string): Promise<void> {
  const store = openStore({ dir })
  const turns = async () => (await store.journal.load(RunId(runId))).filter(({ kind }) => kind === 'turn-began')
  await vi.waitFor(async () => expect(await turns()).toHaveLength(2), 10_000)
  store.close()
}

/** What a client makes of the pieces. */
function textsOf(events: readonly ResponseStreamEvent[]): readonly string[] {
  const texts: string[] = []
  for (const event of events)
    if (event.type === 'response.output_text.delta')
      texts[event.output_index] = (texts[event.output_index] ?? '') + event.delta
  return texts
}

test('a response is a run; the next one knows it, branches know no more, and nobody else has it', async () => {
  const { as } = await served()
  const client = as('ALICE')
  const first = await client.responses.create({ model, input: 'hi', instructions: 'CLAIM', metadata: { mine: 'yes' } })
  expect(first).toMatchObject({
    object: 'response',
    status: 'completed',
    model,
    output_text: 'Hello there!',
    instructions: null,
    metadata: { mine: 'yes', state: 'completed' },
  })
  expect(first.usage?.output_tokens).toBeGreaterThan(0)
  const next = { model, previous_response_id: first.id, input: [{ role: 'user' as const, content: 'hi, you said?' }] }
  const second = await client.responses.create(next)
  expect(second).toMatchObject({ output_text: 'I said hello.', previous_response_id: first.id })
  expect((await client.responses.create(next)).output_text).toBe('I said hello.')
  expect(await client.responses.retrieve(second.id)).toEqual({ ...second, _request_id: undefined })
  for (const asked of [as('BOB').responses.retrieve(first.id), as('BOB').responses.create(next)])
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'response-unknown' })
})

test('consent is asked for as the API does it, answered by id, and the run goes on', async () => {
  const { as } = await served()
  const client = as('ALICE')
  const asked = await client.responses.create({ model, input: 'Write it.' })
  expect(asked.status).toBe('completed')
  expect(asked.output.map(({ type }) => type)).toEqual(['message', 'message', 'mcp_approval_request'])
  const request = asked.output.find((item) => item.type === 'mcp_approval_request')
  expect(request).toMatchObject({ name: 'write_file', arguments: JSON.stringify({ path: 'out.md', content: 'hello' }) })
  const wrong = client.responses.create({
    model,
    previous_response_id: asked.id,
    input: [{ type: 'mcp_approval_response', approval_request_id: 'run_x.t1.1.q1', approve: true }],
  })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
  const answered = client.responses.stream({
    model,
    previous_response_id: asked.id,
    input: [{ type: 'mcp_approval_response', approval_request_id: request?.id ?? '', approve: true }],
  })
  const done = await answered.finalResponse()
  expect(done.output).toMatchObject([{ content: [{ text: 'It is written.' }] }])
  expect(done.metadata?.run).toBe(asked.metadata?.run)
  expect((await client.responses.retrieve(asked.id)).output, 'what was asked then stays').toEqual(asked.output)
  const late = client.responses.create({
    model,
    previous_response_id: asked.id,
    input: [{ type: 'mcp_approval_response', approval_request_id: request?.id ?? '', approve: false }],
  })
  await expect(late).rejects.toMatchObject({ status: 400 })
})

test('a stream that is cut after each frame gives every piece once, also past a restart', async () => {
  // Slow enough that the second turn is still being said when its process is killed, on a busy machine too.
  const { here, args, server, as } = await served(25)
  const created = await as('ALICE').responses.create({ model, input: 'Talk.', background: true })
  expect(created.status).not.toBe('completed')
  const read: ResponseStreamEvent[] = []
  let client = as('ALICE')
  let current = server
  for (let cuts = 0; read.at(-1)?.type !== 'response.completed'; cuts++) {
    if (cuts === 6) {
      await secondTurn(here.store, created.metadata?.run ?? '')
      await current.end('SIGKILL')
      current = await servedTenon(here, args, KEYS)
      client = as('ALICE', current.url)
    }
    const last = read.at(-1)?.sequence_number
    const more = last === undefined ? {} : { starting_after: last }
    const stream = await client.responses.retrieve(created.id, { stream: true, ...more })
    for await (const event of stream) {
      read.push(event)
      if (cuts < 12) break
    }
  }
  const numbers = read.map(({ sequence_number }) => sequence_number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  // The model was cut off by the kill: what it had said until then stands before what it says when it is asked again.
  const [first = '', second] = textsOf(read)
  expect([first.endsWith(WORDS), second]).toEqual([true, LATER])
  const end = await client.responses.retrieve(created.id)
  expect(end.output_text).toBe(WORDS + LATER)
  const whole: ResponseStreamEvent[] = []
  for await (const event of await client.responses.retrieve(created.id, { stream: true })) whole.push(event)
  expect(textsOf(whole)).toEqual([WORDS, LATER])
  const { output_text: _, ...response } = end
  expect(whole.at(-1)).toMatchObject({ type: 'response.completed', response })
})

test('a live stream brings each piece once, wherever it is cut', async () => {
  const { as } = await served()
  const client = as('ALICE')
  const stream = await client.responses.create({ model, input: 'Talk.', stream: true })
  const read: ResponseStreamEvent[] = []
  for await (const event of stream) {
    read.push(event)
    if (read.length === 12) break
  }
  const [created] = read
  const id = created?.type === 'response.created' ? created.response.id : ''
  while (read.at(-1)?.type !== 'response.completed') {
    const starting_after = read.at(-1)?.sequence_number ?? 0
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after })) {
      read.push(event)
      if (read.length % 5 === 0) break
    }
  }
  expect(read.slice(0, 12).filter(({ type }) => type === 'response.output_text.delta').length).toBeGreaterThan(5)
  expect(textsOf(read)).toEqual([WORDS, LATER])
})

test('a background response is canceled by its id', async () => {
  const { as } = await served()
  const client = as('ALICE')
  const { id } = await client.responses.create({ model, input: 'Talk.', background: true })
  expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' })
  await expect(as('BOB').responses.cancel(id)).rejects.toMatchObject({ status: 404 })
})

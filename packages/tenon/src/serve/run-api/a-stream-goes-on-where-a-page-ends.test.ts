import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { RunId } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { readEvents, type SseEvent } from '../../../test/kit/read-events.js'
import { type ServedRuns, servedRuns } from '../../../test/kit/served-runs.js'
import { WRITING } from '../../../test/tenon-process.js'
import { valueAt } from './body-handle.js'
import { SseWriter, type SseWriterOptions } from './sse-writer.js'

const STEPS = 30

/** Looks around thirty times, a few words each time, and is done. */
const LOOKING = `rehearsal: looking
pace: 400
scenes:
${Array.from(
  { length: STEPS },
  (_, turn) => `  - name: look-${turn}
    when: { turns: ${turn}${turn === 0 ? '' : ', results: [{ error: false }]'} }
    say: { text: Once more I look around., calls: [{ tool: list_files, args: { path: . } }] }`,
).join('\n')}
  - name: done
    when: { turns: ${STEPS}, results: [{ error: false }] }
    say: { text: I have seen it. }
`

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

async function submit({ ask }: ServedRuns): Promise<string> {
  return String((await ask('POST /runs', { body: { goal: 'Look.', limits: { steps: 100 } } })).at('/runId'))
}

/** All pages as far as the journal goes now. */
async function pages({ ask }: ServedRuns, id: string, limit: number): Promise<number[]> {
  const seen: number[] = []
  for (let after = 0; ; ) {
    const page = await ask(`GET /runs/${id}/events?after=${after}&limit=${limit}`)
    const events = page.at('/events') as readonly { readonly seq: number }[]
    seen.push(...events.map(({ seq }) => seq))
    const next = page.at('/next')
    if (next === undefined) return seen
    after = Number(next)
  }
}

async function streamed(url: string, headers: Record<string, string> = {}): Promise<SseEvent[]> {
  const events: SseEvent[] = []
  for await (const event of readEvents(await fetch(url, { headers }))) events.push(event)
  return events
}

test('pages, then the stream from their end, give each event of a run at work once', async () => {
  const server = await servedRuns({ rehearsal: LOOKING })
  const id = await submit(server)
  const read = async (limit: number): Promise<void> => {
    const seen = await pages(server, id, limit)
    const live = await streamed(`${server.url}/runs/${id}/events/stream?after=${seen.at(-1)}`)
    const end = live.at(-1)
    expect(end).toMatchObject({ name: 'end', data: { state: 'completed' } })
    const ids = live.filter(({ name }) => name === 'message').map((event) => event.id)
    expect([...seen, ...ids]).toEqual(upTo(Number(valueAt(end?.data ?? null, '/seq'))))
  }
  await Promise.all([1, 7, 1_000].map(read))
})

test('only events of the journal have an id, and it is their seq', async () => {
  const server = await servedRuns({ rehearsal: LOOKING })
  const events = await streamed(`${server.url}/runs/${await submit(server)}/events/stream`)
  expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['message', 'live', 'end']))
  for (const { name, id, data } of events) expect(id).toBe(name === 'message' ? valueAt(data, '/seq') : undefined)
  const said = events.filter(({ data }) => valueAt(data, '/kind') === 'delta').map(({ data }) => valueAt(data, '/text'))
  expect(said.join('')).toContain('Once more I look around.')
})

test('of the place in the address and Last-Event-ID the later one counts, up to and past the end', async () => {
  const server = await servedRuns({ rehearsal: WRITING })
  const id = await server.run('Write it.')
  await server.ask(`POST /runs/${id}/cancel`, { body: {} })
  const { seq } = await server.host.engine.drive(RunId(id))
  const url = `${server.url}/runs/${id}/events/stream`
  for (const [query, header, from] of [
    ['', '3', 4],
    ['?after=5', '3', 6],
    ['?after=3', '5', 6],
    ['', String(seq), seq + 1],
    [`?after=${seq + 50}`, '0', seq + 1],
  ] as const) {
    const events = await streamed(url + query, { 'last-event-id': header })
    expect(events.flatMap((event) => event.id ?? [])).toEqual(upTo(seq).slice(from - 1))
    expect(events.at(-1)).toEqual({ name: 'end', id: undefined, data: { state: 'canceled', seq } })
  }
})

test('a server that stops says so before it closes a stream', async () => {
  const server = await servedRuns({ rehearsal: WRITING })
  const id = await server.run('Write it.')
  const { seq } = await server.host.engine.state(RunId(id))
  const last: SseEvent[] = []
  for await (const event of readEvents(await fetch(`${server.url}/runs/${id}/events/stream`))) {
    if (event.id === seq) void server.close()
    last.push(event)
  }
  expect(last.at(-1)).toEqual({ name: 'stop', id: undefined, data: { code: 'server-stopping' } })
})

/** A stream of its own over a real socket. */
async function writing(options: SseWriterOptions, write: (events: SseWriter, response: ServerResponse) => void) {
  const server = createServer((_, response) => write(new SseWriter(response, options), response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a quiet stream shows that it lives', async () => {
  const port = await writing({ heartbeatMs: 10 }, () => undefined)
  for await (const { name } of readEvents(await fetch(`http://127.0.0.1:${port}`))) if (name === ':') return
  throw new Error('the stream ended')
})

test('a reader that takes nothing is dropped by name, and costs no more than it takes', async () => {
  let dropped: (error: unknown) => void = () => undefined
  const told = new Promise((resolve) => (dropped = resolve))
  let most = 0
  const port = await writing({ patienceMs: 100 }, (events, response) => {
    const pour = async (): Promise<void> => {
      for (let id = 1; ; id++) {
        await events.send('message', { text: 'x'.repeat(10_000) }, id)
        most = Math.max(most, response.writableLength)
      }
    }
    pour().catch(dropped)
  })
  const reader = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void reader.destroy())
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await told).toMatchObject({ code: 'reader-too-slow' })
  expect(most).toBeLessThan(100_000)
})

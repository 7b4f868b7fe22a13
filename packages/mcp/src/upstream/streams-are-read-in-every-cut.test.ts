import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.js'
import { type SseEvent, SseReader } from './sse-reader.js'

const STREAM =
  '\uFEFF: hello\r\nid: 1\nretry: 250\ndata: \n\nevent: ping\rdata: {}\r\rdata: {"a":\ndata: "é漢🌍"}\nid: 2\n\ndata: last\r\n\r\n'

function eventsOf(chunks: readonly Buffer[], limit = 10_000): { events: SseEvent[]; tooLong: number[] } {
  const events: SseEvent[] = []
  const tooLong: number[] = []
  const reader = new SseReader(
    limit,
    (event) => events.push(event),
    (chars) => tooLong.push(chars),
  )
  for (const chunk of chunks) reader.push(chunk)
  return { events, tooLong }
}

test('an event stream means the same wherever it is cut', () => {
  const bytes = Buffer.from(STREAM)
  const whole = eventsOf([bytes]).events
  expect(whole).toEqual([
    { name: 'message', data: '', id: '1' },
    { name: 'ping', data: '{}', id: '1' },
    { name: 'message', data: '{"a":\n"é漢🌍"}', id: '2' },
    { name: 'message', data: 'last', id: '2' },
  ])
  for (let at = 1; at < bytes.length; at++)
    expect(eventsOf([bytes.subarray(0, at), bytes.subarray(at)]).events).toEqual(whole)
  expect(eventsOf([...bytes].map((byte) => Buffer.from([byte]))).events).toEqual(whole)
})

test('an event over the limit is dropped and the next one is read', () => {
  const bytes = Buffer.from(`data: ${'x'.repeat(5_000)}\n\ndata: small\n\n`)
  for (const size of [1, 7, 4_096, bytes.length]) {
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    const { events, tooLong } = eventsOf(chunks, 1_000)
    expect(events.map(({ data }) => data)).toEqual(['small'])
    expect(tooLong).toHaveLength(1)
  }
})

test('a line over the limit is dropped with its id, and the next one is read', () => {
  const big = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { text: 'x'.repeat(5_000) } })
  const late = JSON.stringify({ result: { text: 'x'.repeat(5_000) }, jsonrpc: '2.0', id: 'b' })
  const bytes = Buffer.from(`${big}\n{"a":1}\n${late}\n{"b":2}`)
  for (const size of [1, 100, 4_096, bytes.length]) {
    const lines: string[] = []
    const ids: unknown[] = []
    const splitter = new LineSplitter(
      1_000,
      (line) => lines.push(line.toString()),
      (_, id) => ids.push(id),
    )
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
    expect(lines).toEqual(['{"a":1}'])
    expect(ids).toEqual([7, 'b'])
    expect(splitter.rest.toString()).toBe('{"b":2}')
  }
})

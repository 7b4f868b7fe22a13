import { expect, test } from 'vitest'
import { eventStream } from './event-stream.js'

const BOUNDS = { eventBytes: 1_000, responseBytes: 10_000 }

async function* cut(text: string, at: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += at) yield bytes.subarray(from, from + at)
}

async function read(body: AsyncIterable<Uint8Array>, bounds = BOUNDS): Promise<string[]> {
  const events: string[] = []
  for await (const data of eventStream(body, bounds, () => new Error('too long'))) events.push(data)
  return events
}

const STREAM =
  '\uFEFF: hello\r\nretry: 5\r\nid: 1\r\ndata:one\r\n\r\n: beat\n\nevent: message\ndata: two\ndata: 你好 🚀\nx: y\n\ndata\rdata: \r\rdata: lost'

test.each([1, 2, 3, 7, 1_000])('cut into pieces of %i bytes it says the same', async (at) => {
  expect(await read(cut(STREAM, at))).toEqual(['one', 'two\n你好 🚀', '\n'])
})

test('an event, a line and a stream over their bounds end it by name', async () => {
  await expect(read(cut(`data: ${'x'.repeat(600)}\ndata: ${'x'.repeat(600)}\n\n`, 100))).rejects.toThrow('too long')
  await expect(read(cut(`data: ${'x'.repeat(2_000)}`, 100))).rejects.toThrow('too long')
  await expect(read(cut(': beat\n\n'.repeat(2_000), 100))).rejects.toThrow('too long')
})

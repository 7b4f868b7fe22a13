import { expect, test } from 'vitest'
import { isRefusedHere, knocking } from './refused-here.js'
import type { HttpRequest, HttpResponse, Transport } from './transport.js'

const refusal = () => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })
const request = (url: string, signal = new AbortController().signal): HttpRequest => ({
  url,
  headers: {},
  body: '',
  signal,
})
const ANSWER = { status: 200, headers: {}, body: (async function* () {})() } satisfies HttpResponse

/** Refuses so many times, then answers. */
function refusing(times: number): { readonly transport: Transport; readonly tries: () => number } {
  let tries = 0
  const transport: Transport = async () => {
    if (tries++ < times) throw refusal()
    return ANSWER
  }
  return { transport, tries: () => tries }
}

test('a server that is just being started again is found', async () => {
  const { transport, tries } = refusing(1)
  await expect(knocking(transport)(request('http://localhost:11434/v1'))).resolves.toBe(ANSWER)
  expect(tries()).toBe(2)
})

// It took 13 to 16 seconds: four tries in each of four turns.
test('one that is not running is told within a few tries', async () => {
  const { transport, tries } = refusing(100)
  const began = Date.now()
  const thrown = await knocking(transport)(request('http://127.0.0.1:11434/v1')).catch((error: unknown) => error)
  expect(isRefusedHere('http://127.0.0.1:11434/v1', thrown)).toBe(true)
  expect(tries()).toBe(4)
  expect(Date.now() - began).toBeLessThan(4_000)
})

test('one elsewhere is left to whoever asks: a network comes back', async () => {
  const { transport, tries } = refusing(100)
  await expect(knocking(transport)(request('https://models.example.com/v1'))).rejects.toThrow('fetch failed')
  expect(tries()).toBe(1)
  expect(isRefusedHere('https://models.example.com/v1', refusal())).toBe(false)
})

test('whoever stops the turn does not wait for the next try', async () => {
  const stop = new AbortController()
  const { transport, tries } = refusing(100)
  const asked = knocking(transport)(request('http://[::1]:11434/v1', stop.signal))
  stop.abort()
  await expect(asked).rejects.toThrow('fetch failed')
  expect(tries()).toBe(1)
})

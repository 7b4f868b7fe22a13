import { EventEmitter, once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chunk, collect, PLAIN_REQUEST, WireServer } from '../../test/support/wire-server.js'
import { anthropicMessages } from '../anthropic-messages/anthropic-messages.js'
import { openaiChat } from '../openai-chat/openai-chat.js'

const model = (server: { readonly origin: string }, more: object = {}) =>
  openaiChat({ provider: 'test', model: 'm-1', baseUrl: `${server.origin}/v1`, apiKey: 'key-of-the-test', ...more })

test('the key and the headers go out, the key is asked for at each request', async () => {
  await using server = await WireServer.start((response) =>
    response.end(`${chunk({ content: 'a' }, 'stop')}data: [DONE]\n\n`),
  )
  let asked = 0
  const apiKey = () => `key-${++asked}`
  const chat = model(server, { apiKey, headers: { 'X-Team': 'blue' } })
  await collect(chat)
  await collect(chat)
  const claude = anthropicMessages({ provider: 'anthropic', model: 'c', baseUrl: server.origin, apiKey: 'a-key' })
  await collect(claude)
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/messages',
  ])
  expect(server.requests[1]?.headers).toMatchObject({ authorization: 'Bearer key-2', 'x-team': 'blue' })
  expect(server.requests[2]?.headers).toMatchObject({ 'x-api-key': 'a-key', 'anthropic-version': '2023-06-01' })
})

test('a query string of the base address is kept', async () => {
  await using server = await WireServer.start((response) => response.end())
  await collect(model(server, { baseUrl: `${server.origin}/openai/v1/?api-version=2026-01-01` }))
  expect(server.requests[0]?.path).toBe('/openai/v1/chat/completions?api-version=2026-01-01')
})

test('a key with a line end is sent without it, one that no header can hold is told', async () => {
  await using server = await WireServer.start((response) => response.end())
  await collect(model(server, { apiKey: 'key\n' }))
  expect(server.requests[0]?.headers.authorization).toBe('Bearer key')
  const [event] = await collect(model(server, { apiKey: 'key\nand more' }))
  expect(event).toMatchObject({ finish: 'error', error: { code: 'invalid-request', retryable: false } })
  expect(JSON.stringify(event)).not.toContain('and more')
})

test('a redirect is not followed with the key: the address is wrong', async () => {
  await using server = await WireServer.start((response) => {
    response.writeHead(307, { location: 'http://elsewhere.invalid/' })
    response.end()
  })
  expect(await collect(model(server))).toMatchObject([{ error: { code: 'wrong-endpoint', retryable: false } }])
})

test('429 with a wait is told with the wait', async () => {
  await using server = await WireServer.start((response) => {
    response.writeHead(429, { 'retry-after': '3', 'x-request-id': 'req-7' })
    response.end('{"error":{"message":"Rate limit of key-of-the-test reached"}}')
  })
  const [event, ...rest] = await collect(model(server))
  expect(rest).toEqual([])
  expect(event).toMatchObject({
    kind: 'finished',
    finish: 'error',
    error: { code: 'rate-limited', retryable: true, retryAfterMs: 3000, detail: { status: 429, requestId: 'req-7' } },
  })
  expect(JSON.stringify(event)).not.toContain('key-of-the-test')
})

test('a connection that breaks in the middle keeps what came', async () => {
  await using server = await WireServer.start((response) => {
    response.write(chunk({ content: 'Half' }), () => response.destroy())
  })
  const events = await collect(model(server))
  expect(events.at(-2)).toMatchObject({ kind: 'block-ended', block: { text: 'Half' } })
  expect(events.at(-1)).toMatchObject({ finish: 'truncated', error: { code: 'stream-truncated', retryable: true } })
})

test('a connection that breaks after the end was said loses nothing', async () => {
  await using server = await WireServer.start((response) => {
    response.write(chunk({ content: 'Whole' }, 'stop'), () => response.destroy())
  })
  expect((await collect(model(server))).at(-1)).toMatchObject({ finish: 'stop', diagnostics: ['done-missing'] })
})

test('a writer that never hangs up after [DONE] does not hold the turn', async () => {
  await using server = await WireServer.start((response) => {
    response.write(`${chunk({ content: 'a' }, 'stop')}data: [DONE]\n\n`)
  })
  const events = await collect(model(server, { patience: { firstMs: 30_000, betweenMs: 30_000 } }))
  expect(events.at(-1)).toMatchObject({ finish: 'stop', diagnostics: [] })
})

test('pings and comments are no progress: a stalled stream ends with a name, and what came is kept', async () => {
  let timer: NodeJS.Timeout | undefined
  await using server = await WireServer.start((response) => {
    response.write(chunk({ content: 'Wait' }))
    timer = setInterval(() => response.write(': ping\n\ndata: {"choices":[]}\n\n'), 5)
  })
  const events = await collect(model(server, { patience: { firstMs: 10_000, betweenMs: 100 } }))
  clearInterval(timer)
  expect(events.at(-2)).toMatchObject({ kind: 'block-ended', block: { text: 'Wait' } })
  expect(events.at(-1)).toMatchObject({ finish: 'truncated', error: { code: 'stream-stalled', retryable: true } })
})

test('a listener that takes its time is no stall', async () => {
  await using server = await WireServer.start((response) => {
    response.write(chunk({ content: 'a' }), () => response.end(`${chunk({ content: 'b' }, 'stop')}data: [DONE]\n\n`))
  })
  const patience = { firstMs: 10_000, betweenMs: 20 }
  const { signal } = new AbortController()
  const finished: unknown[] = []
  for await (const event of model(server, { patience }).generate(PLAIN_REQUEST, { signal })) {
    if (event.kind === 'delta') await new Promise((resolve) => setTimeout(resolve, 60))
    if (event.kind === 'finished') finished.push(event)
  }
  expect(finished).toMatchObject([{ finish: 'stop' }])
})

test('an answer that no reader can bear is an event and no exception', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const args = JSON.stringify(`{"a":${deep}}`)
  await using server = await WireServer.start((response) => {
    const call = `{"index":0,"id":"c","function":{"name":"f","arguments":${args}}}`
    response.end(
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[${call}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`,
    )
  })
  const events = await collect(model(server))
  expect(events.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ kind: 'finished', error: { code: 'bad-response' } })
})

test('a provider that never begins is a timeout, before and after its headers', async () => {
  const patience = { firstMs: 50, betweenMs: 10_000 }
  await using silent = await WireServer.start(() => undefined)
  expect(await collect(model(silent, { patience }))).toMatchObject([{ finish: 'error', error: { code: 'timeout' } }])
  await using slow = await WireServer.start((response) => {
    response.write(': one moment\n\n')
  })
  expect((await collect(model(slow, { patience }))).at(-1)).toMatchObject({
    error: { code: 'timeout', retryable: true },
  })
})

test('an answer that is not streamed has the time that all of it takes', async () => {
  const whole = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })
  await using server = await WireServer.start((response) => {
    setTimeout(() => response.end(whole), 60)
  })
  const quirks = { stream: false }
  const patient = { firstMs: 1, betweenMs: 1, wholeMs: 10_000 }
  expect((await collect(model(server, { quirks, patience: patient }))).at(-1)).toMatchObject({ finish: 'stop' })
  const hasty = { firstMs: 10_000, betweenMs: 10_000, wholeMs: 1 }
  expect((await collect(model(server, { quirks, patience: hasty }))).at(-1)).toMatchObject({
    error: { code: 'timeout' },
  })
})

test('abort in the middle closes the connection and ends the events', async () => {
  const closed = new EventEmitter()
  const hungUp = once(closed, 'closed')
  await using server = await WireServer.start((response) => {
    response.on('close', () => closed.emit('closed'))
    response.write(chunk({ content: 'Once' }))
  })
  const abort = new AbortController()
  const kinds: string[] = []
  for await (const event of model(server).generate(PLAIN_REQUEST, { signal: abort.signal })) {
    kinds.push(event.kind)
    if (event.kind === 'delta') abort.abort()
  }
  await hungUp
  expect(kinds).toEqual(['block-began', 'delta'])
})

test('whoever stops listening closes the connection', async () => {
  const closed = new EventEmitter()
  const hungUp = once(closed, 'closed')
  await using server = await WireServer.start((response) => {
    response.on('close', () => closed.emit('closed'))
    response.write(chunk({ content: 'Once' }))
  })
  const { signal } = new AbortController()
  for await (const event of model(server).generate(PLAIN_REQUEST, { signal })) if (event.kind === 'delta') break
  await hungUp
})

test('a signal that was aborted before sends nothing', async () => {
  await using server = await WireServer.start((response) => response.end())
  expect(await collect(model(server), PLAIN_REQUEST, AbortSignal.abort())).toEqual([])
  expect(server.requests).toEqual([])
})

test('nobody there, no address at all, no key to be had: each has its name and nothing is thrown', async () => {
  const gone = await WireServer.start(() => undefined)
  const { origin } = gone
  await gone[Symbol.asyncDispose]()
  const [unreachable] = await collect(model({ origin }))
  expect(unreachable).toMatchObject({
    error: { code: 'unreachable', retryable: false, detail: { reason: 'ECONNREFUSED' } },
  })
  expect(await collect(model({ origin }, { baseUrl: 'api.example.org' }))).toMatchObject([
    { error: { code: 'wrong-endpoint' } },
  ])
  const apiKey = () => Promise.reject(new Error('the vault at /secret is locked'))
  const [keyless] = await collect(model({ origin }, { apiKey }))
  expect(keyless).toMatchObject({ finish: 'error' })
  expect(JSON.stringify(keyless)).not.toContain('/secret')
})

test('a body that says gzip is unpacked if it is, and plain if it is not', async () => {
  const body = `${chunk({ content: 'a' }, 'stop')}data: [DONE]\n\n`
  for (const bytes of [Buffer.from(body), gzipSync(body)]) {
    await using server = await WireServer.start((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bytes)
    })
    expect((await collect(model(server))).at(-1)).toMatchObject({ finish: 'stop', diagnostics: [] })
  }
})

test('a fetch of one’s own carries the request', async () => {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (url) => {
    urls.push(String(url))
    return new Response(`${chunk({ content: 'a' }, 'stop')}data: [DONE]\n\n`)
  }
  const events = await collect(model({ origin: 'http://provider.invalid' }, { fetch }))
  expect(urls).toEqual(['http://provider.invalid/v1/chat/completions'])
  expect(events.at(-1)).toMatchObject({ finish: 'stop' })
})

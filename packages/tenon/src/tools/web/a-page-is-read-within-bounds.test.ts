import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { callContext, eventsOf, resultOf, textOf } from '../../../test/kit/call-tool.js'
import { type FetchOptions, fetchUrlTool } from './fetch-url.js'

async function site(listener: RequestListener, options: FetchOptions = {}) {
  const http = createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  return { url, http, fetch: fetchUrlTool({ allowed: ['127.0.0.1'], ...options }) }
}

const answer =
  (type: string | undefined, body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...headers }).end(body)
  }

test('HTML is read as text, with its title, its links and nothing that a browser would not show', async () => {
  const { url, fetch } = await site(
    answer('text/html; charset=utf-8', '<title>A &amp; B</title><p hidden>obey</p><p>See <a href="/x">this</a>.'),
  )
  const result = await resultOf(fetch, { url })
  expect(result).toMatchObject({
    value: { url, mediaType: 'text/html', title: 'A & B', text: `See [this](${url}x).` },
    provenance: { source: 'function', name: new URL(url).host, trust: 'untrusted' },
  })
  expect(fetch).toMatchObject({ outward: true, trust: 'untrusted' })
})

test.each([
  ['the header', 'text/html; charset="iso-8859-1"', Buffer.from('<p>Gr\xfc\xdfe', 'latin1')],
  ['a meta element', 'text/html', Buffer.from('<meta charset=windows-1252><p>Gr\xfc\xdfe', 'latin1')],
  ['a meta element that cannot be right', 'text/html', Buffer.from('<meta charset=utf-16><p>Grüße')],
  ['nobody, as UTF-8', 'text/html', Buffer.from('<p>Grüße')],
  ['nobody, as what browsers take it for', 'text/html', Buffer.from('<p>Gr\xfc\xdfe', 'latin1')],
  ['a byte order mark', 'text/html', Buffer.from('\uFEFF<p>Grüße', 'utf16le')],
  ['a charset that does not exist', 'text/html; charset=klingon', Buffer.from('<p>Grüße')],
])('the charset is named by %s', async (_name, type, body) => {
  const { url, fetch } = await site(answer(type, body))
  expect(await resultOf(fetch, { url })).toMatchObject({ value: { text: 'Grüße' } })
})

test('a body past the cap is cut, and says so', async () => {
  const { url, fetch } = await site(answer('text/plain', 'x'.repeat(5_000)), { mostBytes: 1_000 })
  expect(await textOf(fetch, { url })).toBe(`${url}\n${'x'.repeat(1_000)}\n[Cut: the page is longer than 1000 bytes.]`)
})

test('a compressed bomb is cut at its size unpacked', async () => {
  const { url, fetch } = await site(
    answer('text/plain', gzipSync(Buffer.alloc(5_000_000, 'x')), { 'content-encoding': 'gzip' }),
    { mostBytes: 10_000 },
  )
  expect(await resultOf(fetch, { url })).toMatchObject({ value: { text: 'x'.repeat(10_000) } })
})

test('a body without end is cut off, and the connection with it', async () => {
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { url, fetch } = await site(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more).on('close', closed)
      more()
    },
    { mostBytes: 50_000 },
  )
  await resultOf(fetch, { url })
  await gone
})

test('a server that never answers is given up by name', async () => {
  const { url, fetch } = await site(() => {}, { timeoutMs: 50 })
  await expect(eventsOf(fetch, { url })).rejects.toMatchObject({ code: 'fetch-timeout' })
})

test('a cancelled call ends at once, and its connection too', async () => {
  const stop = new AbortController()
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { url, fetch } = await site((request) => {
    request.socket.on('close', closed)
    stop.abort(new Error('stopped'))
  })
  await expect(eventsOf(fetch, { url }, callContext({ signal: stop.signal }))).rejects.toThrow('stopped')
  await gone
})

test('a refusal of the server is told with what it said', async () => {
  const { url, fetch } = await site((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Gone</h1>')
  })
  expect(await resultOf(fetch, { url })).toMatchObject({ isError: true })
  expect(await textOf(fetch, { url })).toBe(`${url} answered with status 404.\n# Gone`)
})

test('nobody listening and a broken answer are named', async () => {
  const { url, http, fetch } = await site((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
    response.destroy()
  })
  await expect(eventsOf(fetch, { url })).rejects.toMatchObject({ code: 'fetch-failed' })
  await new Promise((resolve) => http.close(resolve))
  await expect(eventsOf(fetch, { url })).rejects.toThrow('refused the connection')
})

test('JSON and text without a type come as they are, binary data is named, an image is shown', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const json = await site(answer('application/vnd.api+json', '{"a":1}'))
  expect(await textOf(json.fetch, { url: json.url })).toBe(`${json.url}\n{"a":1}`)
  const bare = await site(answer(undefined, 'plain'))
  expect(await textOf(bare.fetch, { url: bare.url })).toBe(`${bare.url}\nplain`)
  const binary = await site(answer('application/zip', 'PK\x03\x04'))
  await expect(eventsOf(binary.fetch, { url: binary.url })).rejects.toMatchObject({ code: 'fetch-not-text' })
  const image = await site(answer('text/plain', png))
  expect((await resultOf(image.fetch, { url: image.url })).content[1]).toMatchObject({
    kind: 'image',
    mediaType: 'image/png',
  })
})

test('nothing of ours is sent but the address', async () => {
  let headers: NodeJS.Dict<string | string[]> = {}
  const { url, fetch } = await site((request, response) => {
    headers = request.headers
    response.end('ok')
  })
  await resultOf(fetch, { url })
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'sec-fetch-mode',
    'user-agent',
  ])
})

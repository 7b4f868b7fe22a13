import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { SecretMask } from './secret-mask.js'
import { type TapEntry, tapLine } from './tap-entry.js'
import { tapHttp } from './tap-http.js'
import { TapRecorder } from './tap-recorder.js'

type Asked = [IncomingMessage, ServerResponse]

async function tapBefore(answer: (...asked: Asked) => void): Promise<{ url: string; entries: TapEntry[] }> {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const entries: TapEntry[] = []
  const mask = new SecretMask()
  const recorder = new TapRecorder({ mask, onEntry: (entry) => entries.push(entry) })
  const tap = await tapHttp({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?x=1`,
    recorder,
    mask,
  })
  onTestFinished(async () => {
    await tap.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: tap.url, entries }
}

const post = (url: string, body: string, headers = {}): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, done)
      .on('error', fail)
      .end(body)
  })

test('an event arrives before the next one is written', async () => {
  let goOn = (): void => undefined
  const { url } = await tapBefore((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write(': hello\n\nid: 0\ndata: \n\n')
    goOn = () => answer.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n')
  })
  const answer = await post(url, '{"jsonrpc":"2.0","id":1,"method":"tools/call"}')
  const parts = answer.setEncoding('utf8')[Symbol.asyncIterator]()
  expect((await parts.next()).value).toBe(': hello\n\nid: 0\ndata: \n\n')
  goOn()
  expect((await parts.next()).value).toContain('"result"')
})

test('the server sees that the client has left', async () => {
  let left = (): void => undefined
  const hasLeft = new Promise<void>((done) => {
    left = done
  })
  const { url } = await tapBefore((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    answer.on('close', left)
  })
  const answer = await post(url, '{"jsonrpc":"2.0","id":1,"method":"tools/call"}')
  answer.destroy()
  await hasLeft
})

test('headers and bodies arrive; the log has them without what is secret', async () => {
  const seen: unknown[] = []
  const { url, entries } = await tapBefore(async (asked, answer) => {
    seen.push(asked.url, asked.headers.authorization, asked.headers.host, await text(asked))
    answer.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-0123456789' })
    answer.end('{"jsonrpc":"2.0","id":1,"result":{"token":"issued-0123456789"}}')
  })
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"pw-0123456789"}}}'
  const answer = await post(url, body, { authorization: 'Bearer case-token-0123456789' })
  expect(answer.headers['mcp-session-id']).toBe('session-0123456789')
  expect(await text(answer)).toContain('issued-0123456789')
  expect(seen[0]).toBe('/mcp?x=1')
  expect(seen[1]).toBe('Bearer case-token-0123456789')
  expect(String(seen[2])).not.toBe(new URL(url).host)
  expect(seen[3]).toBe(body)
  const log = entries.map(tapLine).join('\n')
  expect(log).toContain('login')
  expect(log).not.toMatch(/0123456789/)
})

test('a server that is not there is told as 502', async () => {
  const { url } = await tapBefore((asked) => asked.socket.destroy())
  expect((await post(url, '{}')).statusCode).toBe(502)
})

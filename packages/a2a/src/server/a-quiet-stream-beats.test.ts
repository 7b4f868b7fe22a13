import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { EventWriter } from './event-writer.js'

/** A stream to a reader that reads. */
async function stream(heartbeatMs: number) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const asking = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const writer = new EventWriter(response, {}, { heartbeatMs })
  const reader = (await asking).body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<string | undefined> => (await reader?.read())?.value
  return { writer, next }
}

test('a reader of a task that says nothing hears a comment, again and again, and then the event', async () => {
  const { writer, next } = await stream(5)
  expect(await next()).toMatch(/^(: still here\n\n)+$/)
  expect(await next()).toMatch(/^(: still here\n\n)+$/)
  await writer.write({ word: 'news' }, '7.0')
  let said = ''
  while (!said.includes('data:')) said = (await next()) ?? 'data: the stream ended'
  expect(said).toContain('id: 7.0\ndata: {"word":"news"}\n\n')
  writer.end()
})

test('nothing beats after the stream has ended', async () => {
  const { writer, next } = await stream(5)
  writer.end()
  let heard: string | undefined = ''
  while (heard !== undefined) heard = await next()
  expect(writer.response.writableEnded).toBe(true)
})

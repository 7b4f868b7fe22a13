import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { EventWriter } from './event-writer.js'

test('its stream ends by name, and no more is kept for it than the sockets hold', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const writer = new EventWriter(response, {}, { patienceMs: 30 })
  const flood = async (): Promise<void> => {
    for (;;) await writer.write('x'.repeat(100_000))
  }
  await expect(flood()).rejects.toMatchObject({ code: 'a2a-reader-too-slow' })
  expect(response.destroyed).toBe(true)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { Peer } from './peer.js'

/** A peer that begins each of its answers at once and ends none, where `trickles` says so. */
async function trickling(trickles: (path: string) => boolean) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    if (!trickles(request.url ?? '')) {
      response.end(JSON.stringify(card))
      return
    }
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const card = {
    name: 'slow',
    description: 'Slow.',
    version: '1',
    skills: [],
    capabilities: {},
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  }
  const limits = { cardMs: 200, lookMs: 200 }
  const peer = new Peer({ name: 'slow', url: `${url}/card`, allow: [`127.0.0.1:${port}`], limits }, systemClock)
  onTestFinished(() => peer.close())
  return peer
}

const { signal } = new AbortController()

test('an answer that trickles in byte by byte is given up after its time', async () => {
  const peer = await trickling((path) => path === '/rpc')
  const { wire } = await peer.link(signal)
  const late = { code: 'peer-unavailable', message: 'slow did not finish its answer in time.' }
  await expect(wire.get('t', signal)).rejects.toMatchObject(late)
  await expect(wire.cancel('t', signal)).rejects.toMatchObject(late)
  await expect(wire.list({}, signal)).rejects.toMatchObject(late)
})

test('a card that trickles in is no card', async () => {
  const peer = await trickling(() => true)
  await expect(peer.card(signal)).rejects.toMatchObject({ code: 'peer-card-unreachable' })
})

import http from 'node:http'
import { started } from './started.mjs'

const SESSIONS = 1000

/** @param {string} url @param {string} method @param {Record<string, string>} headers @param {object} [body] @returns {Promise<http.IncomingMessage>} */
const send = (url, method, headers, body) =>
  new Promise((done, fail) => {
    const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
    const request = http.request(url, { method, headers: all, agent: false }, done)
    request.on('error', fail)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** What a thousand legacy clients hold that have said hello, listen and say nothing. @type {import('../bench-contract.mjs').Bench} */
export async function idleSessions({ wanted, report, note }) {
  if (!wanted('idle-1000-sessions')) return
  const server = await started('echo-server.mjs', ['http'])
  const bridge = await started('tenon-bridge.mjs', [server.said.url])
  /** @returns {Promise<number>} */
  const memory = () =>
    new Promise((resolve) => {
      bridge.child.once('message', (said) => resolve(/** @type {{ rss: number }} */ (said).rss / 2 ** 20))
      bridge.child.send('memory')
    })
  /** @type {http.IncomingMessage[]} */
  const streams = []
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'idle', version: '1' } }
  const open = async () => {
    const hello = await send(bridge.said.url, 'POST', {}, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
    hello.resume()
    const session = { 'mcp-session-id': String(hello.headers['mcp-session-id']) }
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
    ;(await send(bridge.said.url, 'POST', session, ready)).resume()
    streams.push((await send(bridge.said.url, 'GET', session)).on('error', () => undefined).resume())
  }
  await open()
  const before = await memory()
  for (let at = 1; at < SESSIONS; at += 50) await Promise.all(Array.from({ length: 50 }, open))
  const after = await memory()
  note(`the bridge as a whole takes ${Math.round(after)} MB with ${streams.length} sessions and their open streams`)
  report({ case: 'idle-1000-sessions', subject: 'tenon', value: after - before, unit: 'MB' })
  for (const stream of streams) stream.destroy()
  await bridge.stop()
  await server.stop()
}

import http from 'node:http'

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'echo',
    arguments: { text: 'hello' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
  'content-length': String(Buffer.byteLength(BODY)),
}

/**
 * Calls a tool again and again. The client is as thin as can be, so that what is measured is what stands behind.
 *
 * @param {string} url @param {{ inFlight: number, milliseconds: number }} options
 * @returns {Promise<{ p50: number, perSecond: number }>} milliseconds, requests
 */
export async function callLoad(url, { inFlight, milliseconds }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight })
  const call = () =>
    new Promise((done, fail) => {
      const request = http.request(url, { method: 'POST', agent, headers: HEADERS }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => (text.includes('"hello"') ? done(undefined) : fail(new Error(text.slice(0, 300)))))
      })
      request.on('error', fail)
      request.end(BODY)
    })
  for (const warmUpEnds = performance.now() + milliseconds / 3; performance.now() < warmUpEnds; )
    await Promise.all(Array.from({ length: inFlight }, call))
  /** @type {number[]} */
  const times = []
  const began = performance.now()
  const ends = began + milliseconds
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < ends) {
        const asked = performance.now()
        await call()
        times.push(performance.now() - asked)
      }
    }),
  )
  const took = performance.now() - began
  agent.destroy()
  times.sort((a, b) => a - b)
  return { p50: times[times.length >> 1] ?? Number.NaN, perSecond: (times.length / took) * 1000 }
}

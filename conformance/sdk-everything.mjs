// The fixtures behind the official SDK: `node sdk-everything.mjs [both|legacy|modern|stateless] [PORT|stdio]`. Prints its
// address. `stateless` speaks both over HTTP, the legacy one without sessions.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  isLegacyRequest,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { getFixture, PROMPTS, RESOURCES, readFixture, TEMPLATES, TOOLS } from './everything-tools.mjs'

const eras = process.argv[2] ?? 'both'
const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) })
/** A question in the modern era, where a server cannot ask: it ends the round. */
class Question extends Error {
  /** @param {string} key @param {object} request */
  constructor(key, request) {
    super('a round ends')
    this.requests = { [key]: request }
  }
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
/** Those that end in tasks have their own fixtures: the SDK serves none. */
const tools = TOOLS.filter(({ task }) => task === undefined)

/** @type {Set<Server>} */
const sessions = new Set()
/** @type {import('@modelcontextprotocol/server').McpHttpHandler | undefined} */
let modern

function everything() {
  const server = new Server(
    { name: 'sdk-everything', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  )
  /** @param {any} request @param {any} ctx */
  const useOf = (request, ctx) => {
    const token = ctx.mcpReq._meta?.progressToken
    return {
      args: request.params.arguments ?? {},
      inputs: ctx.mcpReq.inputResponses ?? {},
      state: ctx.mcpReq.requestState(),
      capabilities: ctx.mcpReq.envelope?.[CAPABILITIES] ?? server.getClientCapabilities() ?? {},
      ask: async (/** @type {string} */ method, /** @type {object} */ params) => {
        if (ctx.mcpReq.envelope === undefined) return ctx.mcpReq.send({ method, params })
        const answer = ctx.mcpReq.inputResponses?.asked
        if (answer === undefined) throw new Question('asked', { method, params })
        return answer
      },
      log: (/** @type {any} */ level, /** @type {unknown} */ data) => ctx.mcpReq.log(level, data),
      progress:
        token === undefined
          ? undefined
          : (/** @type {object} */ step) =>
              ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...step } }),
      token,
      signal: ctx.mcpReq.signal,
      round: async (/** @type {any} */ inputRequests, /** @type {any} */ state) =>
        inputRequired({ inputRequests, ...(state ? { requestState: await codec.mint(state) } : {}) }),
      changed: (/** @type {'tools' | 'prompts'} */ kind) => {
        const method = /** @type {any} */ (`notifications/${kind}/list_changed`)
        for (const session of sessions) void session.notification({ method }).catch(() => undefined)
        if (kind === 'tools') modern?.notify.toolsChanged()
        else modern?.notify.promptsChanged()
      },
    }
  }
  const handle = /** @type {(method: string, handler: (request: any, ctx: any) => any) => void} */ (
    server.setRequestHandler.bind(server)
  )
  handle('tools/list', () => ({
    tools: tools.map(({ name, description, inputSchema = { type: 'object' } }) => ({ name, description, inputSchema })),
  }))
  handle('tools/call', async (request, ctx) => {
    const tool = tools.find(({ name }) => name === request.params.name)
    if (!tool) throw new ProtocolError(-32602, `There is no tool ${request.params.name}.`)
    try {
      return await tool.run(useOf(request, ctx))
    } catch (error) {
      if (error instanceof Question) return inputRequired({ inputRequests: /** @type {any} */ (error.requests) })
      throw error
    }
  })
  handle('resources/list', () => ({ resources: RESOURCES }))
  handle('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  handle('resources/read', (request) => {
    const found = readFixture(request.params.uri)
    if (!found) throw new ProtocolError(-32602, 'There is no such resource.', { uri: request.params.uri })
    return found
  })
  handle('resources/subscribe', () => ({}))
  handle('resources/unsubscribe', () => ({}))
  handle('prompts/list', () => ({ prompts: PROMPTS }))
  handle('prompts/get', (request, ctx) => {
    const found = getFixture(request.params.name, useOf(request, ctx))
    if (!found) throw new ProtocolError(-32602, `There is no prompt ${request.params.name}.`)
    return found
  })
  handle('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}

if (process.argv[3] === 'stdio') {
  if (eras === 'legacy') await everything().connect(new StdioServerTransport())
  else serveStdio(everything, { legacy: eras === 'modern' ? 'reject' : 'serve' })
} else serveHttp()

function serveHttp() {
  modern = createMcpHandler(everything, { legacy: eras === 'stateless' ? 'stateless' : 'reject' })
  const serveModern = toNodeHandler(modern)

  /** @type {Map<string, NodeStreamableHTTPServerTransport>} */
  const transports = new Map()

  /** @param {import('node:http').IncomingMessage} request */
  async function bodyOf(request) {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    return text === '' ? undefined : JSON.parse(text)
  }

  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await bodyOf(request) : undefined
    const probe = new Request(`http://localhost${request.url}`, {
      method: request.method ?? 'GET',
      headers: /** @type {any} */ (request.headers),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const alone = eras === 'modern' || eras === 'stateless'
    if (eras !== 'legacy' && (alone || !(await isLegacyRequest(probe, body))))
      return serveModern(request, response, body)
    const id = String(request.headers['mcp-session-id'] ?? '')
    const known = transports.get(id)
    if (known) return known.handleRequest(request, response, body)
    if (id || body?.method !== 'initialize') {
      const error = { code: id ? -32001 : -32000, message: id ? 'Session not found' : 'Bad Request: initialize first' }
      return void response
        .writeHead(id ? 404 : 400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
    }
    const server = everything()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => {
        transports.set(session, transport)
        sessions.add(server)
      },
      onsessionclosed: (session) => {
        transports.delete(session)
        sessions.delete(server)
      },
    })
    await server.connect(transport)
    await transport.handleRequest(request, response, body)
  })
  http.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
    console.log(JSON.stringify({ url: `http://localhost:${port}/mcp` }))
  })
}

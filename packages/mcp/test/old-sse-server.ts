import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const TOOLS = ['test_simple_text', 'test_elicitation', 'test_sampling']

/** A server on the transport of 2024-11-05, written with the SDK of that time. */
export async function oldSseServer(): Promise<{ url: string; close(): void }> {
  const transports = new Map<string, SSEServerTransport>()
  const http: HttpServer = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      await makeServer().connect(transport)
    } else if (request.method === 'POST' && url.pathname === '/messages')
      await transports.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response)
    else response.writeHead(request.method === 'POST' ? 405 : 404).end()
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

function makeServer(): Server {
  const server = new Server({ name: `old-${randomUUID().slice(0, 4)}`, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
    if (params.name === 'test_elicitation') {
      const requestedSchema = { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] }
      const question = { method: 'elicitation/create', params: { message: 'Well?', requestedSchema } } as const
      const answer = await server.request(question as never, ElicitResultSchema)
      return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content)}`)
    }
    if (params.name === 'test_sampling') {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Say it' } }]
      const question = { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } }
      const answer = await server.request(question as never, CreateMessageResultSchema)
      return text(`LLM response: ${(answer.content as { text?: string }).text}`)
    }
    return text('This is a simple text response for testing.')
  })
  return server
}

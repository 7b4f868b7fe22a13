// A server of the official SDK that offers both eras, as its entry does by itself, but whose tools were written for the
// older one: they push their question in the middle of the call. `order-in-words` tells of the failure as its result.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const said = (text, isError = false) => ({ content: [{ type: 'text', text }], isError })

serveStdio(() => {
  const server = new Server({ name: 'pushing', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: ['order', 'order-in-words'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const requestedSchema = { type: 'object', properties: { count: { type: 'integer' } } }
    try {
      const answer = await server.elicitInput({ message: 'How many?', requestedSchema })
      return said(`${answer.action} ${answer.content?.count}`)
    } catch (error) {
      if (params.name === 'order') throw error
      return said(error.message, true)
    }
  })
  return server
})

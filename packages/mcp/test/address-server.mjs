// A server of the official SDK that sends people to an address: `node address-server.mjs legacy|modern`. `sign` asks
// during the call; `first`, of the legacy era only, refuses calls until the address was opened once.
import { inputRequired, Server, UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

const [, , era, url = 'https://example.com/sign?for=you'] = process.argv
const address = { mode: 'url', message: 'Please sign in.', url, elicitationId: 'e-1' }
const said = (text) => ({ content: [{ type: 'text', text }] })
let refused = false

function make() {
  const server = new Server({ name: 'address', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: ['sign', 'first'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (params.name === 'first') {
      if (refused) return said('let in')
      refused = true
      throw new UrlElicitationRequiredError([address])
    }
    if (era === 'legacy') {
      const answer = await context.mcpReq.send({ method: 'elicitation/create', params: address })
      return said(`${answer.action} ${JSON.stringify(answer.content ?? null)}`)
    }
    const answer = context.mcpReq.inputResponses?.sign
    if (answer === undefined) return inputRequired({ inputRequests: { sign: inputRequired.elicitUrl(address) } })
    return said(`${answer.action} ${JSON.stringify(answer.content ?? null)}`)
  })
  return server
}

if (era === 'legacy') await make().connect(new StdioServerTransport())
else serveStdio(make, { legacy: 'reject' })

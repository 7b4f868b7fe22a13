// The fixtures behind our own server: `node tenon-everything.mjs [PORT]` prints its address.
import { createServer } from 'node:http'
import { mcpHttp, rpcError, TaskedService } from '@tenon/mcp'
import { getFixture, PROMPTS, RESOURCES, readFixture, TEMPLATES, TOOLS } from './everything-tools.mjs'

/** @type {Set<{ wanted: () => import('@tenon/mcp').ChangeFilter, onChange: (change: any) => void }>} */
const followers = new Set()

/** @param {object} inputRequests @param {object} [state] */
const round = (inputRequests, state) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state ? { requestState: JSON.stringify(state) } : {}),
})

/** @type {import('@tenon/mcp').McpService} */
const fixtures = {
  toolSchema: (_, name) => /** @type {any} */ (TOOLS.find((tool) => tool.name === name)?.inputSchema),
  info: () => ({
    serverInfo: { name: 'tenon-everything', version: '1.0.0' },
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    },
  }),
  async request({ method, params, inputResponses = {}, requestState, ...call }) {
    const use = /** @type {any} */ ({
      args: params.arguments ?? {},
      inputs: inputResponses,
      state: requestState === undefined ? undefined : JSON.parse(requestState),
      capabilities: call.caller.capabilities,
      ask: call.ask,
      log: call.log,
      progress: call.progress,
      token: call.progress && 'asked for',
      signal: call.signal,
      round,
      changed: (/** @type {'tools' | 'prompts'} */ kind) => {
        for (const { onChange } of followers) onChange({ kind })
      },
    })
    switch (method) {
      case 'tools/list':
        return {
          tools: TOOLS.map(({ name, description, inputSchema = { type: 'object' } }) => ({
            name,
            description,
            inputSchema,
          })),
        }
      case 'tools/call': {
        const tool = TOOLS.find(({ name }) => name === params.name)
        if (!tool) throw rpcError(-32602, `There is no tool ${params.name}.`)
        return tool.run(use)
      }
      case 'resources/list':
        return { resources: RESOURCES }
      case 'resources/templates/list':
        return { resourceTemplates: TEMPLATES }
      case 'resources/read': {
        const found = readFixture(String(params.uri))
        if (!found) throw rpcError(-32602, 'There is no such resource.', { uri: params.uri ?? null })
        return found
      }
      case 'prompts/list':
        return { prompts: PROMPTS }
      case 'prompts/get': {
        const found = getFixture(String(params.name), use)
        if (!found) throw rpcError(-32602, `There is no prompt ${params.name}.`)
        return /** @type {any} */ (found)
      }
      case 'completion/complete':
        return { completion: { values: [], total: 0, hasMore: false } }
      default:
        throw rpcError(-32601, `There is no method ${method}.`)
    }
  },
  follow(_, wanted, onChange) {
    const follower = { wanted, onChange }
    followers.add(follower)
    return { changed: () => undefined, stop: () => void followers.delete(follower) }
  },
}

const service = new TaskedService(fixtures, {
  mode: (name) => /** @type {any} */ (TOOLS.find((tool) => tool.name === name)?.task ?? 'never'),
  pollIntervalMs: 100,
})
const endpoint = mcpHttp({ service })
const server = createServer((request, response) => {
  if (!endpoint.handle(request, response)) response.writeHead(404).end()
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(JSON.stringify({ url: `http://localhost:${port}/mcp` }))
})

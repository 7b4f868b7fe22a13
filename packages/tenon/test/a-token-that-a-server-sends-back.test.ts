import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { encryptedCredentials, type McpService, mcpHttp } from '@tenon/mcp'
import { userDataFolder } from '@tenon/models'
import { expect, onTestFinished, test } from 'vitest'
import { type Place, place } from './tenon-process.js'

const TOKEN = 'token-of-a-sign-in-1234'

/** Says the token of whoever calls in everything that a server can say. */
const echo: McpService = {
  info: ({ principal }) => ({
    serverInfo: { name: 'echo', version: '1' },
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    instructions: `You are ${principal}.`,
  }),
  async request({ method, params, caller: { principal }, log }) {
    switch (method) {
      case 'tools/list':
        return {
          tools: ['who', 'fail'].map((name) => ({
            name,
            description: `Tells you that you are ${principal}.`,
            inputSchema: { type: 'object', properties: { [principal]: { type: 'string', default: principal } } },
          })),
        }
      case 'resources/read':
        return { contents: [{ uri: String(params.uri), text: `read by ${principal}` }] }
      case 'tools/call':
        log('warning', { said: principal })
        if (params.name === 'fail') throw new Error(principal)
        return { content: [{ type: 'text', text: `you are ${principal}` }], structuredContent: { you: principal } }
      default:
        return { prompts: [], resources: [] }
    }
  },
  follow: () => ({ changed() {}, stop() {} }),
}

async function signedIn(here: Place): Promise<void> {
  const endpoint = mcpHttp({ service: echo, bearer: { authenticate: (token) => ({ principal: token }) } })
  const server = createServer((request, response) => void endpoint.handle(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    endpoint.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  encryptedCredentials(join(userDataFolder(here.environment), 'mcp', 'credentials')).save(
    JSON.stringify(['local', url]),
    { tokens: { access_token: TOKEN, token_type: 'Bearer' } },
  )
  here.write(
    'tenon.yaml',
    `agents: { assistant: { resources: ["echo:note://me"] } }
policy: { otherwise: allow }
mcp: { logLevel: info, servers: { echo: { url: "${url}" } } }
`,
  )
  here.write(
    'r.yaml',
    `rehearsal: a caller
scenes:
  - { name: who, when: { turns: 0 }, say: { calls: [{ tool: echo__who, args: {} }, { tool: echo__fail, args: {} }] } }
  - { name: report, when: { results: [{ tool: echo__who, matches: '(?<who>you are .*)' }] }, say: { text: "{{who}}" } }
`,
  )
}

test('a token of a sign-in that its server sends back reaches no model, no journal, no terminal and no log', async () => {
  const here = place()
  await signedIn(here)
  const ran = await here.tenon(['run', 'go', '--json', '--verbose', '--rehearsal', 'r.yaml'])
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('you are [secret]')
  expect(ran.stderr).toContain('echo: warning {"said":"[secret]"}')
  const view = await here.tenon(['runs', 'show', 'last', '--view', '1', '--full'])
  expect(view.stdout).toContain('read by [secret]')
  const listed = await here.tenon(['mcp', 'list', '--tools', '--log', '--json'])
  const inspected = await here.tenon(['mcp', 'inspect', '--server', 'echo', '--json'])
  expect(inspected.stdout).toContain('Tells you that you are [secret].')
  for (const { stdout, stderr } of [ran, view, listed, inspected]) expect(stdout + stderr).not.toContain(TOKEN)
  for (const file of readdirSync(here.store, { recursive: true, withFileTypes: true }))
    if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(TOKEN)
})

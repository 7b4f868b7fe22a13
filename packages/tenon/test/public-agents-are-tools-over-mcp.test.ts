import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place, WRITING } from './tenon-process.js'

const CONFIG = `
agents:
  writer: { description: Writes., public: {} }
  inner: {}
serve:
  access: { bearer: { alice: '\${ALICE}', bob: '\${BOB}' }, scopes: [{ owner: bob, may: [a2a] }] }
`
const KEYS = { ALICE: 'key-of-alice', BOB: 'key-of-bob' }
const APPROVED = { action: 'accept' as const, content: { decision: 'approve' } }

async function served() {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  const { url } = await servedTenon(here, ['--rehearsal', here.write('writing.yaml', WRITING)], KEYS)
  return new URL(`${url}/mcp`)
}

const as = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

test('clients of both eras give work to a public agent on one endpoint, and are asked before it writes', async () => {
  const url = await served()
  const client = new Client(
    { name: 'new', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', () => APPROVED)
  await client.connect(new StreamableHTTPClientTransport(url, as('key-of-alice')))
  onTestFinished(() => client.close())
  const old = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: { form: {} } } })
  old.setRequestHandler(ElicitRequestSchema, () => APPROVED)
  await old.connect(new OldTransport(url, as('key-of-alice')) as Parameters<OldClient['connect']>[0])
  onTestFinished(() => old.close())

  for (const one of [client, old]) {
    const { tools } = await one.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['writer'])
    expect(await one.callTool({ name: 'writer', arguments: { goal: 'Write it.' } })).toMatchObject({
      content: [{ type: 'text', text: 'It is written.' }],
    })
  }
})

test('a caller with as many runs open as it may have begins none, by whatever protocol', async () => {
  const here = place()
  here.write('tenon.yaml', 'agents: { asker: { public: {} } }\nserve: { openTasks: 1 }')
  const rehearsal = here.write(
    'asking.yaml',
    'rehearsal: a\nscenes: [{ name: ask, when: { turns: 0 }, say: { calls: [{ tool: ask_user, args: { question: Who? } }] } }]',
  )
  const { url } = await servedTenon(here, ['--rehearsal', rehearsal])
  const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  onTestFinished(() => client.close())
  const call = () => client.callTool({ name: 'asker', arguments: { goal: 'Ask.' } })
  expect((await call()).isError).toBe(true)
  await expect(call()).rejects.toThrow('open at once')
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'agent:asker', input: 'Ask.' }),
  })
  expect([response.status, await response.json()]).toMatchObject([429, { error: { code: 'too-many-runs' } }])
})

test('without a key nothing is offered, with one for something else neither', async () => {
  const url = await served()
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' })
  const stranger = await post({})
  expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="tenon"'])
  expect((await post({ authorization: 'Bearer key-of-bob' })).status).toBe(403)
  expect((await post({ origin: 'http://evil.example' })).status).toBe(403)
})

test('where an issuer gives the tokens, a stranger is told where to get one', async () => {
  const here = place()
  here.write('tenon.yaml', 'serve: { access: { jwt: { issuer: "https://id.example", audience: tenon } } }')
  const { url } = await servedTenon(here)
  const { headers } = await fetch(`${url}/mcp`, { method: 'POST' })
  const where = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  expect(where).toBe(`${url}/.well-known/oauth-protected-resource/mcp`)
  expect(await (await fetch(String(where))).json()).toMatchObject({
    resource: `${url}/mcp`,
    authorization_servers: ['https://id.example'],
  })
})

test('who supervises the process learns that it is well, and no more', async () => {
  const here = place()
  const { url } = await servedTenon(here)
  const response = await fetch(`${url}/healthz`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405)
})

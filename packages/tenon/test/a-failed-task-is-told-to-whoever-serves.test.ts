import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

/** Whatever else is asked for departs from it, and that run fails. */
const REHEARSAL =
  'rehearsal: one line\nscenes: [{ name: a, when: { goal: { contains: [greet] } }, say: { text: Hello. } }]\n'

const GOAL = 'open the safe with 4711'

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const FACES: Readonly<Record<string, (url: string, goal: string) => Promise<unknown>>> = {
  A2A: (url, goal) => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: goal }] }
    const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
    return post(`${url}/a2a/helper/rpc`, request, { 'a2a-version': '1.0' })
  },
  MCP: async (url, goal) => {
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    onTestFinished(() => client.close())
    return client.callTool({ name: 'helper', arguments: { goal } })
  },
  'the OpenAI API': (url, goal) =>
    post(`${url}/v1/chat/completions`, { model: 'agent:helper', messages: [{ role: 'user', content: goal }] }),
  'the run API': (url, goal) => post(`${url}/runs`, { agent: 'helper', goal }),
}

test.each(Object.entries(FACES))('a run over %s that fails is told by its code and where to look', async (_, begin) => {
  const here = place()
  here.write('tenon.yaml', 'agents: { helper: { description: Helps., public: {} } }')
  const server = await servedTenon(here, ['--rehearsal', here.write('r.yaml', REHEARSAL)])
  await begin(server.url, 'greet us')
  await begin(server.url, GOAL)
  await server.printed('failed: ')
  await server.end('SIGTERM')
  const { stderr } = await server.ended
  const told = stderr.split('\n').filter((line) => line.startsWith('failed: '))
  expect(told).toEqual([expect.stringMatching(/^failed: helper \[rehearsal-departed\]; tenon runs show run_\w+$/)])
  expect(stderr).not.toContain('4711')
  const shown = await here.tenon(String(told[0]).split('; tenon ')[1]?.split(' ') ?? [])
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(GOAL) })
})

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Message, Role } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const CONFIG = `
agents: { helper: { description: Helps., public: {} } }
serve: { access: { bearer: { alice: '\${ALICE}', bob: '\${BOB}' } } }
`
const KEYS = { ALICE: 'key-of-alice', BOB: 'key-of-bob' }

/** Only who has taken the skill up says hello. */
const REHEARSAL = `
rehearsal: helper
pace: 50
scenes:
  - name: greet
    when: { results: [{ tool: activate_skill, error: false, contains: Be kind }], goal: { contains: /greeting } }
    say: { text: Hello there! }
`
const SKILL = '---\nname: greeting\ndescription: How to greet.\n---\nBe kind.\n'
const GOAL = '/greeting us'

async function served() {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  mkdirSync(join(here.folder, '.agents', 'skills', 'greeting'), { recursive: true })
  here.write('.agents/skills/greeting/SKILL.md', SKILL)
  const { url } = await servedTenon(here, ['--rehearsal', here.write('rehearsal.yaml', REHEARSAL)], KEYS)
  return url
}

const bearer = (key: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[key]}` })

/** Ways to give a goal to the agent, each by a client that nobody has changed; connected and ready to ask. */
async function clientsOf(
  url: string,
  key: keyof typeof KEYS,
): Promise<Readonly<Record<string, () => Promise<string>>>> {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEYS[key] })
  const model = 'agent:helper'
  const messages = [{ role: 'user' as const, content: GOAL }]

  const requestInit = { headers: bearer(key) }
  const mcp = async (mode: 'auto' | 'legacy') => {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    onTestFinished(() => client.close())
    return async () => JSON.stringify(await client.callTool({ name: 'helper', arguments: { goal: GOAL } }))
  }
  const oldMcp = async () => {
    const client = new OldClient({ name: 'old', version: '1' })
    const transport = new OldTransport(new URL(`${url}/mcp`), { requestInit })
    await client.connect(transport as Parameters<OldClient['connect']>[0])
    onTestFinished(() => client.close())
    return async () => JSON.stringify(await client.callTool({ name: 'helper', arguments: { goal: GOAL } }))
  }
  const fetchImpl: typeof fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', bearer(key).authorization)
    return fetch(input, { ...init, headers })
  }
  const a2a = async (binding: string) => {
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
        preferredTransports: [binding],
        cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
      }),
    )
    const client = await factory.createFromUrl(url)
    return async () => {
      const said: object[] = []
      const request = { tenant: '', metadata: undefined, configuration: undefined, message: message(GOAL) }
      for await (const { payload } of client.sendMessageStream(request)) if (payload) said.push(payload)
      return JSON.stringify(said)
    }
  }
  return {
    'openai, a chat': async () => {
      const { choices } = await openai.chat.completions.create({ model, messages })
      return choices[0]?.message.content ?? ''
    },
    'openai, a chat that streams': () =>
      openai.chat.completions.stream({ model, messages }).finalContent() as Promise<string>,
    'openai, a response': async () => (await openai.responses.create({ model, input: GOAL })).output_text,
    'openai, a response that streams': async () =>
      JSON.stringify((await openai.responses.stream({ model, input: GOAL }).finalResponse()).output),
    'MCP SDK v2, without sessions': await mcp('auto'),
    'MCP SDK v2, with a session': await mcp('legacy'),
    'MCP SDK v1': await oldMcp(),
    'A2A SDK over JSON-RPC': await a2a('JSONRPC'),
    'A2A SDK over HTTP+JSON': await a2a('HTTP+JSON'),
  }
}

const message = (text: string): Message => ({
  messageId: randomUUID(),
  role: Role.ROLE_USER,
  taskId: '',
  contextId: '',
  parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

test('unchanged clients of three protocols use one agent at once, and a skill that their user names is taken up', async () => {
  const url = await served()
  const clients = Object.entries(await clientsOf(url, 'ALICE'))
  const answers = await Promise.all(clients.map(async ([name, ask]) => [name, await ask()] as const))
  for (const [name, answer] of answers) expect(answer, name).toContain('Hello there!')
  const runs = async (key: keyof typeof KEYS) => {
    const page = await fetch(`${url}/runs`, { headers: bearer(key) })
    return ((await page.json()) as { readonly runs: readonly { readonly state: string }[] }).runs
  }
  expect((await runs('ALICE')).map(({ state }) => state)).toEqual(clients.map(() => 'completed'))
  expect(await runs('BOB'), 'what one key began another one does not see').toEqual([])
})

import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Json } from '@tenon/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestInRounds } from '../src/inspect/request-in-rounds.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { EraName } from '../src/upstream/upstream.js'
import { bridgeDoors } from './bridge-doors.js'
import { called, hostOf } from './host-call.js'

const SERVER = fileURLToPath(new URL('address-server.mjs', import.meta.url))
const ADDRESS = 'https://example.com/sign?for=you'
const stdio = (...args: string[]) => ({ kind: 'stdio' as const, command: process.execPath, args: [SERVER, ...args] })

const CLIENT = { elicitation: { form: {}, url: {} } }

const calledOf = (args: readonly string[], name: string, answer: Json) =>
  called(hostOf([{ name: 'far', target: stdio(...args) }], { capabilities: CLIENT }), name, {}, { answer })

/** A client of the SDK in front of a bridge in front of the server. */
async function bridged(era: EraName, mode: 'auto' | 'legacy'): Promise<Client> {
  const door = await bridgeDoors(stdio(era))
  const client = new Client({ name: 'near', version: '1' }, { capabilities: CLIENT, versionNegotiation: { mode } })
  onTestFinished(async () => {
    await client.close()
    await door.close()
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url)))
  return client
}

describe.each<EraName>(['modern', 'legacy'])('a %s server', (era) => {
  test.each([
    [true, 'accept null'],
    [false, 'decline null'],
    [null, 'cancel null'],
  ])('that sends a person to an address hears %s and nothing of what stood there', async (answer, heard) => {
    const { wanted, text } = await calledOf([era], 'sign', answer)
    expect(wanted).toMatchObject([
      { kind: 'auth', prompt: expect.stringContaining(`Please sign in.\nOpen ${ADDRESS}`) },
    ])
    expect(text).toBe(heard)
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'nowhere'])(
    'does not get a person to open %s',
    async (url) => {
      await expect(calledOf([era, url], 'sign', true)).rejects.toMatchObject({ code: expect.stringMatching(/^mcp-/) })
    },
  )

  test.each<'auto' | 'legacy'>(['auto', 'legacy'])('sends the user of a bridge, whose client is %s', async (mode) => {
    const client = await bridged(era, mode)
    const opened: unknown[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      opened.push(params)
      return { action: 'accept' }
    })
    const { content } = await client.callTool({ name: 'sign', arguments: {} })
    expect(content).toMatchObject([{ text: 'accept null' }])
    expect(opened).toMatchObject([{ mode: 'url', url: ADDRESS }])
  })
})

test('a call that a legacy server refuses until an address was opened is made again then', async () => {
  const { wanted, text } = await calledOf(['legacy'], 'first', true)
  expect(wanted).toMatchObject([{ kind: 'auth', prompt: expect.stringContaining(ADDRESS) }])
  expect(text).toBe('let in')
})

test('it is not made again when nobody opens the address', async () => {
  await expect(calledOf(['legacy'], 'first', false)).rejects.toMatchObject({ code: 'mcp-input-refused' })
})

test('a person who calls by hand is sent to the address as well', async () => {
  const target = stdio('legacy')
  const upstream = connectUpstream({
    name: 'far',
    target,
    clientInfo: { name: 't', version: '1' },
    capabilities: CLIENT,
  })
  onTestFinished(() => upstream.close())
  const asked: Json[] = []
  const { content } = await requestInRounds(upstream, 'tools/call', { name: 'first' }, async ({ params }) => {
    asked.push(params.url ?? null)
    return { action: 'accept' }
  })
  expect([asked, content]).toMatchObject([[ADDRESS], [{ text: 'let in' }]])
})

test('a modern client of a bridge hears of the address as a round', async () => {
  const client = await bridged('legacy', 'auto')
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }))
  expect((await client.callTool({ name: 'first', arguments: {} })).content).toMatchObject([{ text: 'let in' }])
})

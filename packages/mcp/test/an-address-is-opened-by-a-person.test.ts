import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { InputNeed, Json, JsonObject, NeedAnswer, Schema } from '@tenon/kernel'
import { CallId, plainText, RunId } from '@tenon/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryPins } from '../src/catalogue/pins.js'
import { McpHost } from '../src/host/mcp-host.js'
import type { EraName } from '../src/upstream/upstream.js'
import { bridgeDoors } from './bridge-doors.js'

const SERVER = fileURLToPath(new URL('address-server.mjs', import.meta.url))
const ADDRESS = 'https://example.com/sign?for=you'
const stdio = (...args: string[]) => ({ kind: 'stdio' as const, command: process.execPath, args: [SERVER, ...args] })

const compile = (json: Schema['json']): Schema => ({ json, check: (value) => ({ ok: true, value }) })

/** One call of a host; `answer` is what the person says to each thing that is wanted. */
async function called(args: readonly string[], name: string, answer: Json) {
  const host = new McpHost({
    servers: [{ name: 'far', target: stdio(...args) }],
    compile,
    clientInfo: { name: 'test', version: '1' },
    pins: memoryPins(),
    capabilities: { elicitation: { form: {}, url: {} } },
  })
  onTestFinished(() => host.close())
  const tool = await host.tool('far', name)
  if (tool === undefined) throw new Error('there is no such tool')
  const ids = { runId: RunId('run_1'), callId: CallId('call_1'), key: 'key', attempt: 1 }
  const wanted: InputNeed[] = []
  let [answers, handle]: [readonly NeedAnswer[], Json | undefined] = [[], undefined]
  for (;;) {
    const asked: NeedAnswer[] = []
    const context = { ...ids, signal: new AbortController().signal, handle, answers, budget: undefined, progress() {} }
    const events = tool.run({}, context) as AsyncIterable<{ kind: string }>
    for await (const event of events as AsyncIterable<JsonObject & { kind: string }>) {
      if (event.kind === 'handle') handle = event.handle
      if (event.kind === 'result') return { wanted, said: plainText(event.content as never) }
      if (event.kind === 'needs-input')
        for (const need of event.needs as unknown as readonly InputNeed[]) {
          wanted.push(need)
          asked.push({ key: need.key, resume: need.resume, answer })
        }
    }
    answers = asked
  }
}

describe.each<EraName>(['modern', 'legacy'])('a %s server', (era) => {
  test.each([
    [true, 'accept null'],
    [false, 'decline null'],
    [null, 'cancel null'],
  ])('that sends a person to an address hears %s and nothing of what stood there', async (answer, heard) => {
    const { wanted, said } = await called([era], 'sign', answer)
    expect(wanted).toMatchObject([
      { kind: 'auth', prompt: expect.stringContaining(`Please sign in.\nOpen ${ADDRESS}`) },
    ])
    expect(said).toBe(heard)
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'nowhere'])(
    'does not get a person to open %s',
    async (url) => {
      await expect(called([era, url], 'sign', true)).rejects.toMatchObject({ code: expect.stringMatching(/^mcp-/) })
    },
  )

  test.each<'auto' | 'legacy'>(['auto', 'legacy'])('sends the user of a bridge, whose client is %s', async (mode) => {
    const door = await bridgeDoors(stdio(era))
    const client = new Client(
      { name: 'near', version: '1' },
      { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode } },
    )
    onTestFinished(async () => {
      await client.close()
      await door.close()
    })
    const opened: unknown[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      opened.push(params)
      return { action: 'accept' }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(door.url)))
    const { content } = await client.callTool({ name: 'sign', arguments: {} })
    expect(content).toMatchObject([{ text: 'accept null' }])
    expect(opened).toMatchObject([{ mode: 'url', url: ADDRESS }])
  })
})

test('a call that a legacy server refuses until an address was opened is made again then', async () => {
  const { wanted, said } = await called(['legacy'], 'first', true)
  expect(wanted).toMatchObject([{ kind: 'auth', prompt: expect.stringContaining(ADDRESS) }])
  expect(said).toBe('let in')
})

test('it is not made again when nobody opens the address', async () => {
  await expect(called(['legacy'], 'first', false)).rejects.toMatchObject({ code: 'mcp-input-refused' })
})

test('a modern client of a bridge hears of the address as a round', async () => {
  const door = await bridgeDoors(stdio('legacy'))
  const client = new Client(
    { name: 'near', version: '1' },
    { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: 'auto' } },
  )
  onTestFinished(async () => {
    await client.close()
    await door.close()
  })
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }))
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url)))
  expect((await client.callTool({ name: 'first', arguments: {} })).content).toMatchObject([{ text: 'let in' }])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const CONFIG = 'agents: { helper: { public: {} } }'
const WORDS = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ')
const REHEARSAL = (pace: number) => `
rehearsal: helper
scenes:
  - name: talk
    when: { turns: 0, goal: { contains: Talk } }
    pace: ${pace}
    say: { text: ${WORDS} }
  - name: ask
    when: { turns: 0, goal: { contains: colour } }
    say: { calls: [{ tool: ask_user, args: { question: Which colour? } }] }
`
const model = 'agent:helper'

test('SIGTERM ends streams by name and cancels nothing; the next process goes on with what was begun', async () => {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  const rehearsal = here.write('rehearsal.yaml', REHEARSAL(2))
  const first = await servedTenon(here, ['--rehearsal', rehearsal])
  const client = new OpenAI({ baseURL: `${first.url}/v1`, apiKey: 'none', maxRetries: 2 })
  const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${first.url}/mcp`)))
  onTestFinished(() => mcp.close())

  const parked = await client.responses.create({ model, input: 'Which colour?' })
  const { id } = await client.responses.create({ model, input: 'Talk.', background: true })
  const streamed = await client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Talk.' }],
    stream: true,
  })
  const called = mcp.callTool({ name: 'helper', arguments: { goal: 'Talk.' } })
  const waiting = client.responses.create({ model, input: 'Talk.' }).then(undefined, (error: unknown) => error)
  const end = (async () => {
    let said = ''
    let ended: Promise<unknown> | undefined
    try {
      for await (const { choices } of streamed) {
        said += choices[0]?.delta.content ?? ''
        if (said.startsWith('word0 ')) ended ??= first.end('SIGTERM')
      }
      return { said, error: undefined, code: await ended }
    } catch (error) {
      return { said, error, code: await ended }
    }
  })()

  expect(await end).toMatchObject({ error: { code: 'server-stopping' }, code: 0 })
  expect(JSON.stringify(await called)).toContain('goes on when it is back')
  expect(await waiting).toMatchObject({ status: 503, code: 'server-stopping' })

  here.write('rehearsal.yaml', REHEARSAL(1_000))
  const second = await servedTenon(here, ['--rehearsal', rehearsal])
  const again = new OpenAI({ baseURL: `${second.url}/v1`, apiKey: 'none' })
  const frames = []
  for await (const frame of await again.responses.retrieve(id, { stream: true })) frames.push(frame)
  expect(frames.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: [{ content: [{ text: WORDS }] }] },
  })
  expect(await again.responses.retrieve(parked.id)).toMatchObject({ output_text: 'Which colour?' })
  const page = (await (await fetch(`${second.url}/runs`)).json()) as {
    readonly runs: readonly { readonly state: string }[]
  }
  expect(page.runs.filter(({ state }) => state === 'canceled')).toEqual([])
  expect(page.runs).toHaveLength(5)
  expect(await second.end('SIGTERM')).toBe(0)
})

const BANK = fileURLToPath(new URL('mcp/paying-server.mjs', import.meta.url))

test('an effect that is under way at SIGTERM ends, and is neither in doubt nor done again', async () => {
  const here = place()
  const gate = join(here.folder, 'gate')
  const ledger = join(here.folder, 'ledger')
  here.write(
    'tenon.yaml',
    `agents: { helper: { public: {} } }
policy: { otherwise: allow }
mcp: { servers: { bank: { command: ${process.execPath}, args: [${BANK}, ${gate}, ${ledger}] } } }
`,
  )
  const rehearsal = here.write(
    'rehearsal.yaml',
    `rehearsal: helper
scenes:
  - name: pay
    when: { turns: 0 }
    say: { calls: [{ tool: bank__pay, args: { to: ann } }] }
  - name: paid
    when: { turns: 1, results: [{ tool: bank__pay, contains: Paid ann }] }
    say: { text: It is paid. }
`,
  )
  const first = await servedTenon(here, ['--rehearsal', rehearsal])
  const client = new OpenAI({ baseURL: `${first.url}/v1`, apiKey: 'none' })
  const { id, metadata } = await client.responses.create({ model, input: 'Pay ann.', background: true })
  const events = await fetch(`${first.url}/runs/${metadata?.run}/events/stream`)
  if (events.body === null) throw new Error('no stream')
  let seen = ''
  for await (const part of events.body.pipeThrough(new TextDecoderStream())) {
    seen += part
    if (seen.includes('"call-begun"')) break
  }
  const ended = first.end('SIGTERM')
  here.write('gate', '')
  expect(await ended).toBe(0)
  expect(readFileSync(ledger, 'utf8')).toBe('paid ann\n')

  const second = await servedTenon(here, ['--rehearsal', rehearsal])
  const again = new OpenAI({ baseURL: `${second.url}/v1`, apiKey: 'none' })
  for await (const _ of await again.responses.retrieve(id, { stream: true }));
  expect((await again.responses.retrieve(id)).output_text).toBe('It is paid.')
  expect(readFileSync(ledger, 'utf8')).toBe('paid ann\n')
})

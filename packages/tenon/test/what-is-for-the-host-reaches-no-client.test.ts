import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const CONFIG = `
models: { house: { provider: rehearsal, file: gone.yaml } }
agents:
  host: {}
  helper: { model: house, public: {} }
`

test('a client of an agent whose model cannot be had is not told where its file should lie, and whoever runs it is', async () => {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  const rehearsal = here.write('r.yaml', 'rehearsal: r\nscenes: [{ name: a, say: { text: x } }]\n')
  const { url } = await servedTenon(here, ['--rehearsal', rehearsal])
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  onTestFinished(() => client.close())
  expect(await client.callTool({ name: 'helper', arguments: { goal: 'go' } })).toMatchObject({
    content: [{ type: 'text', text: 'The agent could not finish the task.' }],
    isError: true,
  })

  const { runs } = (await (await fetch(`${url}/runs`)).json()) as {
    readonly runs: readonly { readonly runId: string }[]
  }
  const events = await (await fetch(`${url}/runs/${runs[0]?.runId}/events`)).text()
  expect(events).toContain('gone.yaml')
  expect(events).not.toContain(here.folder)

  const run = await here.tenon(['run', 'go', '--agent', 'helper'])
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(join(here.folder, 'gone.yaml')) })
})

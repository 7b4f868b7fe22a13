import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { COMMAND, type Place, place, WRITING } from './tenon-process.js'

type Mode = 'legacy' | 'auto'

async function clientOf(here: Place, mode: Mode, answer: 'approve' | 'deny' | undefined): Promise<Client> {
  const rehearsal = here.write('writing.yaml', WRITING)
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: answer } }))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'mcp', 'serve', '--rehearsal', rehearsal],
      env: { ...here.environment },
      cwd: here.folder,
    }),
  )
  onTestFinished(() => client.close())
  return client
}

test.each<Mode>(['legacy', 'auto'])(
  'a %s client gives a goal to an agent and is asked before a file is written',
  async (mode) => {
    const here = place()
    const client = await clientOf(here, mode, 'approve')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['assistant', 'read_file', 'write_file']))
    const result = await client.callTool({ name: 'assistant', arguments: { goal: 'Write it.' } })
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'It is written.' }] })
  },
)

test('a tool of the agent is called by itself, under the same consent', async () => {
  const here = place()
  const client = await clientOf(here, 'auto', 'deny')
  here.write('notes.txt', 'seven')
  const read = await client.callTool({ name: 'read_file', arguments: { path: 'notes.txt' } })
  expect(JSON.stringify(read.content)).toContain('seven')
  const written = await client.callTool({ name: 'write_file', arguments: { path: 'new.txt', content: 'x' } })
  expect(written.isError).toBe(true)
})

test('a client that cannot be asked is told how the run goes on', async () => {
  const client = await clientOf(place(), 'auto', undefined)
  const result = await client.callTool({ name: 'assistant', arguments: { goal: 'Write it.' } })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toContain('tenon runs answer')
})

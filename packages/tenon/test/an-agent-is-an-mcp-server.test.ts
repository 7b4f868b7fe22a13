import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { COMMAND, type Place, place, WRITING } from './tenon-process.js'

type Mode = 'legacy' | 'auto'

async function clientOf(
  here: Place,
  mode: Mode,
  answer: 'approve' | 'deny' | undefined,
  ...more: readonly string[]
): Promise<Client> {
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
      args: [COMMAND, 'mcp', 'serve', '--rehearsal', rehearsal, ...more],
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

test('tools that mean something only inside a run are neither listed nor called', async () => {
  const here = place()
  here.write(
    'tenon.yaml',
    'agents:\n  assistant: { public: {} }\n  other: {}\npeers: { far: { url: "http://127.0.0.1:9/card", allow: [127.0.0.1] } }\n',
  )
  const client = await clientOf(here, 'auto', 'approve', '--agent', 'assistant')
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['assistant', 'read_file', 'read_artifact', 'save_artifact', 'delegate']),
  )
  for (const name of ['todo', 'ask_user', 'run_agent', 'deliver_artifact', 'check_delegation', 'cancel_delegation']) {
    expect(names).not.toContain(name)
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(`There is no tool ${name}.`)
  }
})

test('a client that cannot be asked is told how the run goes on', async () => {
  const client = await clientOf(place(), 'auto', undefined)
  const result = await client.callTool({ name: 'assistant', arguments: { goal: 'Write it.' } })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toContain('tenon runs answer')
})

import { expect, test } from 'vitest'
import { type Place, place, WRITING } from './tenon-process.js'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
}

type Answer = { result?: Record<string, unknown>; error?: { code: number } }

async function ask(url: string, method: string, params: Record<string, unknown>, meta: object = META): Promise<Answer> {
  const name = params.name ?? params.taskId
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
  return (await response.json()) as Answer
}

async function until(url: string, taskId: string, status: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { result = {} } = await ask(url, 'tasks/get', { taskId })
    if (result.status === status) return result
    if (result.status !== 'working') throw new Error(`the task is ${result.status}`)
    await new Promise((soon) => setTimeout(soon, 20))
  }
}

async function serve(here: Place) {
  const rehearsal = here.write('writing.yaml', WRITING)
  const server = here.start(['mcp', 'serve', '--http', '0', '--rehearsal', rehearsal])
  let printed = ''
  const url = await new Promise<string>((resolve) => {
    server.child.stdout?.on('data', (text: string) => {
      printed += text
      if (printed.includes('\n')) resolve((JSON.parse(printed) as { url: string }).url)
    })
  })
  return { server, url }
}

test('a run that asks is a task; it is answered at another process after the first one was killed', async () => {
  const here = place()
  const first = await serve(here)
  const { result: created = {} } = await ask(first.url, 'tools/call', {
    name: 'assistant',
    arguments: { goal: 'Write it.' },
  })
  expect(created).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^run_/) })
  const taskId = String(created.taskId)
  await until(first.url, taskId, 'input_required')
  first.server.child.kill('SIGKILL')
  await first.server.ended

  const second = await serve(here)
  const asking = await until(second.url, taskId, 'input_required')
  const [key = ''] = Object.keys(asking.inputRequests as object)
  const inputResponses = { [key]: { action: 'accept', content: { decision: 'approve' } } }
  expect((await ask(second.url, 'tasks/update', { taskId, inputResponses })).error).toBeUndefined()
  const done = await until(second.url, taskId, 'completed')
  expect(done.result).toMatchObject({ content: [{ type: 'text', text: 'It is written.' }] })
})

test('a task is nothing to a client that follows none', async () => {
  const { url } = await serve(place())
  const meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': {} }
  expect((await ask(url, 'tasks/get', { taskId: 'run_x' }, meta)).error?.code).toBe(-32021)
  expect((await ask(url, 'tasks/get', { taskId: 'run_x' })).error?.code).toBe(-32602)
})

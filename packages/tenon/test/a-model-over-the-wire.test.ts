import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Place, place } from './tenon-process.js'

type Answer = (
  request: { body: { messages: { role: string; content: unknown }[] }; headers: IncomingMessage['headers'] },
  response: ServerResponse,
) => void

/** A server that speaks OpenAI's chat form. */
async function server(answer: Answer): Promise<string> {
  const http = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => answer({ body: JSON.parse(text), headers: request.headers }, response))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'served', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

function configured(baseUrl: string): Place {
  const here = place()
  here.write(
    'tenon.yaml',
    `agents: { assistant: { model: served } }
models:
  served: { provider: openai-compatible, baseUrl: "${baseUrl}", model: served, apiKey: "\${SERVED_KEY}" }
`,
  )
  return here
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const KEY = 'key-0123456789abcdef'

test('a served model reads a file and answers, and its key is seen by it alone', async () => {
  const keys = new Set<string | undefined>()
  const url = await server(({ body, headers }, response) => {
    keys.add(headers.authorization)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const last = body.messages.at(-1)
    if (last?.role === 'tool') {
      for (const word of ['The ', 'file ', `says: ${String(last.content).includes('fourteen') ? '14' : 'nothing'}`])
        response.write(chunk({ content: word }))
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      return
    }
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":' } }
    response.write(chunk({ role: 'assistant', tool_calls: [call] }))
    response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: '"fact.txt"}' } }] }))
    response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
  })
  const here = configured(url)
  here.write('fact.txt', `the answer is fourteen, and somebody left ${KEY} here`)
  const run = await here.tenon(['run', 'what does fact.txt say?'], { env: { SERVED_KEY: KEY } })
  expect(run).toMatchObject({ code: 0, stdout: 'The file says: 14\n' })
  expect([...keys]).toEqual([`Bearer ${KEY}`])
  const exported = await here.tenon(['runs', 'export', 'last'], { env: { SERVED_KEY: KEY } })
  expect(run.stderr + exported.stdout).not.toContain(KEY)
})

test('a key that is missing is named with its place before anything is sent', async () => {
  const here = configured('http://127.0.0.1:9/v1')
  const run = await here.tenon(['run', 'x'])
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('models.served.apiKey needs the variable SERVED_KEY')
})

test('a refused key ends the run with what to do, and shows no key', async () => {
  const url = await server((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } }))
  })
  const run = await configured(url).tenon(['run', 'x'], { env: { SERVED_KEY: KEY } })
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).not.toContain(KEY)
})

test.skipIf(process.platform === 'win32')('Ctrl-C closes the stream of the model', async () => {
  const asked = deferred()
  const gone = deferred()
  const url = await server((_, response) => {
    response.on('close', gone.resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'I begin' }))
    asked.resolve()
  })
  const here = configured(url)
  const run = here.start(['run', 'x'], { SERVED_KEY: KEY })
  await asked.promise
  run.child.kill('SIGINT')
  await gone.promise
  expect((await run.ended).code).toBe(130)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const ANSWER = [
  { choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

// Whichever was asked first decided for both, and a model without function calling was offered functions.
test('two aliases of one model, one of them prompted, are asked each in its own form', async () => {
  const offered: boolean[] = []
  const model = createServer(async (request, response) => {
    offered.push(((await json(request)) as { tools?: unknown }).tools !== undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of ANSWER) response.write(`data: ${JSON.stringify({ id: 'c', model: 'large', ...part })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    model.closeAllConnections()
    model.close()
  })
  const here = place()
  const way = `provider: openai-compatible, model: large, baseUrl: "http://127.0.0.1:${(model.address() as AddressInfo).port}/v1"`
  here.write(
    'tenon.yaml',
    `models: { native: { ${way} }, asked: { ${way}, prompted: json } }
agents: { one: { model: native, public: {} }, other: { model: asked, public: {} } }
`,
  )
  const { url } = await servedTenon(here)
  for (const agent of ['one', 'other', 'one'])
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: `agent:${agent}`, messages: [{ role: 'user', content: 'go' }] }),
    })
  expect(offered).toEqual([true, false, true])
})

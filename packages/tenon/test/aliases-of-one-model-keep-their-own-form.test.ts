import { expect, test } from 'vitest'
import { chatServer } from './kit/chat-server.js'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

// Whichever was asked first decided for both, and a model without function calling was offered functions.
test('two aliases of one model, one of them prompted, are asked each in its own form', async () => {
  const offered: boolean[] = []
  const baseUrl = await chatServer('Done.', (request) => {
    offered.push((request as { tools?: unknown }).tools !== undefined)
  })
  const here = place()
  const way = `provider: openai-compatible, model: large, baseUrl: "${baseUrl}"`
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

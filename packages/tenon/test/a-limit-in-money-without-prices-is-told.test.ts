import { expect, test } from 'vitest'
import { chatServer } from './kit/chat-server.js'
import { place } from './tenon-process.js'

const configured = (url: string, prices = ''): string => `
models:
  house: { provider: openai-compatible, model: large, baseUrl: "${url}"${prices} }
agents:
  lead: { model: house }
  writer: { model: house, limits: { money: 0.5 } }
`

const NOTE =
  /^note: The limit in money of the agent (\w+) does nothing: what openai-compatible\/large costs is not known\./gm
const noted = (stderr: string): string[] => [...stderr.matchAll(NOTE)].map(([, agent]) => agent ?? '')

// It was taken, printed nowhere and never reached.
test('a limit in money on a model without prices is told when a run begins', async () => {
  const here = place()
  here.write('tenon.yaml', configured(await chatServer('Done.')))
  const ended = await here.tenon(['run', 'x', '--money', '0.10'])
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
  expect(noted(ended.stderr)).toEqual(['lead', 'writer'])
  expect(noted((await here.tenon(['run', 'x', '--agent', 'writer'])).stderr)).toEqual(['writer'])
})

test('it is told as well when a conversation begins, when its model is changed, and before a server takes calls', async () => {
  const here = place()
  here.write('tenon.yaml', configured(await chatServer('Done.')))
  const talk = await here.tenon(['chat', '--agent', 'writer'], { stdin: '/model house\n' })
  expect(noted(talk.stderr)).toEqual(['writer', 'writer'])
  for (const served of [
    ['serve', '--port', '0'],
    ['mcp', 'serve'],
  ]) {
    const server = here.start(served)
    await server.printed('The limit in money')
    server.child.stdin?.end()
    server.child.kill('SIGTERM')
    expect(noted((await server.ended).stderr)).toEqual(['writer'])
  }
})

test('with prices nothing is told', async () => {
  const here = place()
  here.write('tenon.yaml', configured(await chatServer('Done.'), ', prices: { input: 2, output: 8 }'))
  const ended = await here.tenon(['run', 'x', '--money', '0.10'])
  expect(ended.code).toBe(0)
  expect(noted(ended.stderr)).toEqual([])
})

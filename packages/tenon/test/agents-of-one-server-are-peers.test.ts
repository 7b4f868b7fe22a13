import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

/** A port that nobody listened on a moment ago: the configuration has to name it before the server listens. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const config = (port: number) => `agent: boss
agents:
  boss: { description: Has it done., model: played, tools: [delegate], public: {} }
  painter: { description: Paints., model: played, tools: [ask_user], public: {} }
models: { played: { provider: rehearsal, file: r.yaml } }
peers: { painter: { url: "http://127.0.0.1:${port}/a2a/painter/.well-known/agent-card.json" } }
policy: { otherwise: allow }
`

const SCENES = `rehearsal: a boss and a painter in one house
scenes:
  - { name: give, when: { turns: 0, tools: [delegate] }, say: { calls: [{ tool: delegate, args: { peer: painter, brief: Paint. } }] } }
  - { name: report, when: { tools: [delegate], results: [{ tool: delegate, matches: '(?<what>a wall in \\w+)' }] }, say: { text: "It is {{what}}." } }
  - { name: ask, when: { turns: 0, tools: [ask_user] }, say: { calls: [{ tool: ask_user, args: { question: Which colour? } }] } }
  - { name: paint, when: { tools: [ask_user], results: [{ tool: ask_user, matches: '(?<colour>red)' }] }, say: { text: "a wall in {{colour}}" } }
`

test('two agents of one server work together over A2A, and a question passes through both', async () => {
  const here = place()
  const port = await freePort()
  here.write('tenon.yaml', config(port))
  here.write('r.yaml', SCENES)
  const serving = here.start(['serve', '--port', String(port)])
  await serving.printed('"url"')
  const url = `http://127.0.0.1:${port}`

  const sent = await here.tenon(['a2a', 'send', url, 'Have it painted.'])
  expect(sent.code).toBe(3)
  expect(sent.stderr).toContain('Which colour?')
  const task = /^task (\S+)$/m.exec(sent.stderr)?.[1] ?? 'none'
  const answered = await here.tenon(['a2a', 'answer', url, task, 'red'])
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('It is a wall in red.') })
})

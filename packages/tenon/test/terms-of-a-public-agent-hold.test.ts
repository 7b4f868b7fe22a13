import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { place } from './tenon-process.js'

type Hook = { status: number; readonly host: string; readonly url: string; readonly signatures: (string | undefined)[] }

/** A webhook that answers with a status that the test may change. */
async function webhook(): Promise<Hook> {
  const signatures: (string | undefined)[] = []
  const server = createServer((request, response) => {
    request.resume()
    signatures.push(request.headers['a2a-signature'] as string | undefined)
    response.writeHead(hook.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const hook: Hook = { status: 410, host, url: `http://${host}/hook`, signatures }
  return hook
}

const config = (hook: Hook) => `agents:
  helper:
    description: Helps.
    model: played
    public:
      takes: { callers: [ali*], bytes: 500 }
      extendedCard: { skills: [{ id: deep, name: Deep, description: For friends., tags: [x] }] }
models: { played: { provider: rehearsal, file: r.yaml } }
serve:
  keep: 30d
  push: { allow: ["${hook.host}"], sign: true }
  access: { bearer: { alice: tok-alice, bob: tok-bob } }
`

const REHEARSAL = `rehearsal: hello
scenes:
  - { name: greet, say: { text: Hello there! } }
`

test('who is not taken is rejected, friends see more of the card, and a webhook that failed is told again', async () => {
  const hook = await webhook()
  const here = place()
  here.write('tenon.yaml', config(hook))
  here.write('r.yaml', REHEARSAL)
  const serving = here.start(['serve', '--port', '0'])
  const [line] = await once(serving.child.stdout as NonNullable<typeof serving.child.stdout>, 'data')
  const { url } = JSON.parse(String(line)) as { readonly url: string }
  const call = async (method: string, params: object, token: string): Promise<{ readonly result: never }> => {
    const response = await fetch(`${url}/a2a/helper/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await response.json()) as { readonly result: never }
  }
  const said = (text: string): object => ({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } })

  const rejected = { task: { status: { state: 'TASK_STATE_REJECTED' } } }
  expect((await call('SendMessage', said('hi'), 'tok-bob')).result).toMatchObject(rejected)
  expect((await call('SendMessage', said('x'.repeat(500)), 'tok-alice')).result).toMatchObject(rejected)

  const card = await call('GetExtendedAgentCard', {}, 'tok-alice')
  expect(card.result).toMatchObject({ description: 'Helps.', skills: [{ id: 'deep' }] })

  const configuration = { taskPushNotificationConfig: { url: hook.url } }
  const sent = await call('SendMessage', { ...said('hi'), configuration }, 'tok-alice')
  expect(sent.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } })
  await serving.printed('a2a-webhook-given-up')
  expect(hook.signatures[0]).toMatch(/^[\w-]+\.\.[\w-]+$/)
  expect(await (await fetch(`${url}/.well-known/jwks.json`)).json()).toMatchObject({ keys: [{ alg: 'ES256' }] })

  const listed = await here.tenon(['a2a', 'dead-letters', '--json'])
  const dead = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly reason: string })
  expect(dead.every(({ reason }) => reason === 'HTTP 410')).toBe(true)
  expect((await here.tenon(['a2a', 'dead-letters', 'replay'])).code).toBe(1)
  hook.status = 204
  const replayed = await here.tenon(['a2a', 'dead-letters', 'replay'])
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ {2}told$/m) })
  const left = await here.tenon(['a2a', 'dead-letters', 'list'])
  expect(left).toMatchObject({ code: 0, stderr: expect.stringContaining('Every webhook was told everything.') })
})

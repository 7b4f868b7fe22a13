import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { CardSigner } from '../cards/card-signer.js'
import { ANONYMOUS } from '../tasks/caller.js'
import { PushSender } from './push-sender.js'
import { SecretSeal } from './secret-seal.js'

type Told = { readonly headers: IncomingHttpHeaders; readonly body: string }

async function toldTo(signer: CardSigner | undefined): Promise<Told> {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    told.push({ headers: request.headers, body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const allowed = ['127.0.0.1']
  const { agent } = scriptedAgent([[{ kind: 'text', text: 'done' }]])
  const { service, store } = openService(() => agent, {}, allowed)
  const seal = new SecretSeal(new Uint8Array(32))
  const sender = new PushSender({ store, seal, allowed, ...(signer === undefined ? {} : { signer }) })
  onTestFinished(async () => {
    await sender.stop()
    server.closeAllConnections()
    server.close()
  })
  sender.start()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] } as const
  const options = { version: '1.0', signal: new AbortController().signal } as const
  await service.send(ANONYMOUS, { message, configuration: { taskPushNotificationConfig: { url } } }, options)
  await vi.waitFor(() => expect(told.at(-1)?.body).toContain('TASK_STATE_COMPLETED'), { timeout: 4_000 })
  return told.at(-1) as Told
}

const signer = new CardSigner(CardSigner.newKey(), 'k1', 'https://agents.example/.well-known/jwks.json')
const keys = createLocalJWKSet(signer.keySet() as unknown as JSONWebKeySet)

/** The signature with the body put back, as RFC 7515, appendix F, has it. */
const whole = ({ headers, body }: Told): string =>
  String(headers['a2a-signature']).replace('..', `.${Buffer.from(body).toString('base64url')}.`)

test('the receiver verifies the body with the key set of the server', async () => {
  const told = await toldTo(signer)
  const { payload, protectedHeader } = await compactVerify(whole(told), keys)
  expect(new TextDecoder().decode(payload)).toBe(told.body)
  expect(protectedHeader).toMatchObject({ kid: 'k1', jku: 'https://agents.example/.well-known/jwks.json' })
  expect(Math.abs(Number(protectedHeader.iat) - Date.now() / 1_000)).toBeLessThan(60)
})

test('a body that was changed on the way does not verify', async () => {
  const { headers, body } = await toldTo(signer)
  const changed = { headers, body: body.replace('COMPLETED', 'FAILED') }
  await expect(compactVerify(whole(changed), keys)).rejects.toThrow()
})

test('without a signer nothing is signed', async () => {
  expect((await toldTo(undefined)).headers['a2a-signature']).toBeUndefined()
})

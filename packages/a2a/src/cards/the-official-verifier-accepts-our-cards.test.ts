import { createPublicKey } from 'node:crypto'
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import type { JsonObject } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { type TrustedKey, verifyCard } from '../card-client/verify-card.js'
import { startRequestServer } from '../cases/request-server.js'
import { CardSigner } from './card-signer.js'

const signer = new CardSigner(CardSigner.newKey(), 'k1')
const [key = {}] = (signer.keySet() as unknown as { readonly keys: readonly TrustedKey[] }).keys

async function card(): Promise<JsonObject> {
  const server = await startRequestServer({}, () => false)
  onTestFinished(() => server.stop())
  const response = await fetch(`${server.origin}/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } })
  return (await response.json()) as JsonObject
}

test('@a2a-js/sdk verifies a card that we signed, and so do we', async () => {
  const signed = signer.sign(await card())
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
  await verifyAgentCardSignature(async () => publicKey as never)(AgentCard.fromJSON(signed))
  expect(verifyCard(signed, [{ ...key, kid: 'k1', alg: 'ES256' }]).kind).toBe('verified')
})

test('a card that was changed afterwards does not verify', async () => {
  const signed = { ...signer.sign(await card()), name: 'somebody else' }
  expect(verifyCard(signed, [{ ...key, kid: 'k1', alg: 'ES256' }]).kind).not.toBe('verified')
})

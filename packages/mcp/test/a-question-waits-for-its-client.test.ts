import type { JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { StateSeal } from '../src/server/state-seal.js'
import { modern, replyTo, said, served, serviceOf } from './served.js'

const QUESTION = { message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }

const asking = serviceOf(async ({ ask }) => {
  const answer = await ask('elicitation/create', QUESTION)
  return said(JSON.stringify(answer.content))
})

const call = (more: JsonObject = {}) => modern('tools/call', { name: 'ask', arguments: { n: 1 }, ...more })

test('a call that asks stays open over two requests', async () => {
  const url = await served(asking)
  const { result: first = {} } = await replyTo(url, call())
  expect(first.resultType).toBe('input_required')
  const [key = ''] = Object.keys(first.inputRequests as object)
  const requestState = String(first.requestState)
  const inputResponses = { [key]: { action: 'accept', content: { ok: true } } }
  const second = await replyTo(url, call({ requestState, inputResponses }))
  expect(second.result).toMatchObject({ resultType: 'complete', ...said('{"ok":true}') })
  // Once used, the state is spent.
  expect((await replyTo(url, call({ requestState, inputResponses }))).error?.code).toBe(-32602)
})

test('an answer to something else asks again and keeps the call', async () => {
  const url = await served(asking)
  const { result: first = {} } = await replyTo(url, call())
  const again = await replyTo(url, call({ requestState: String(first.requestState), inputResponses: { other: {} } }))
  expect(again.result).toMatchObject({ resultType: 'input_required', inputRequests: first.inputRequests })
})

test('a client that never comes back does not keep the call for ever', async () => {
  let ended: (reason: unknown) => void = () => undefined
  const reason = new Promise((resolve) => {
    ended = resolve
  })
  const service = serviceOf(async ({ ask }) =>
    said(JSON.stringify(await ask('elicitation/create', QUESTION).catch(ended))),
  )
  const url = await served(service, { limits: { holdMs: 30 } })
  const { result: first = {} } = await replyTo(url, call())
  expect(await reason).toMatchObject({ code: 'mcp-timeout' })
  const late = await replyTo(url, call({ requestState: String(first.requestState), inputResponses: {} }))
  expect(late.error?.code).toBe(-32602)
})

test('a client that cannot be asked is told which capability is missing', async () => {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': {} }
  expect(await replyTo(await served(asking), call({ _meta }))).toMatchObject({
    status: 400,
    error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
  })
})

test("a service's own state comes back to it and is unreadable on the way", async () => {
  const service = serviceOf(async ({ requestState }) =>
    requestState === undefined
      ? { resultType: 'input_required', inputRequests: {}, requestState: 'step-2-of-3' }
      : said(requestState),
  )
  const url = await served(service)
  const { result: first = {} } = await replyTo(url, call())
  const requestState = String(first.requestState)
  expect(Buffer.from(requestState.slice(3), 'base64url').toString('latin1')).not.toContain('step-2')
  expect((await replyTo(url, call({ requestState }))).result).toMatchObject(said('step-2-of-3'))
  const changed = await replyTo(url, call({ requestState, arguments: { n: 2 } }))
  expect(changed.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
})

const binding = { principal: 'ann', method: 'tools/call', params: { name: 'deploy', arguments: { env: 'test' } } }

test('a sealed state is opened by any process with the same key', () => {
  const key = new Uint8Array(32).fill(7)
  const sealed = new StateSeal(1000, key).seal({ step: 2 }, binding)
  expect(new StateSeal(1000, key).open(sealed, binding)).toEqual({ step: 2 })
})

test.each([
  ['another principal', { ...binding, principal: 'ben' }],
  ['another tool', { ...binding, params: { ...binding.params, name: 'other' } }],
  ['other arguments', { ...binding, params: { ...binding.params, arguments: { env: 'prod' } } }],
  ['another method', { ...binding, method: 'prompts/get' }],
])('a sealed state is nothing for %s', (_, other) => {
  const seal = new StateSeal(1000)
  const sealed = seal.seal('x', binding)
  expect(() => seal.open(sealed, other)).toThrow(expect.objectContaining({ code: 'mcp-rpc-error' }))
})

test('a sealed state ends, and a flipped character breaks it', () => {
  let now = 1000
  const seal = new StateSeal(50, undefined, () => now)
  const sealed = seal.seal('x', binding)
  const at = sealed.length - 5
  const flipped = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
  expect(() => seal.open(flipped, binding)).toThrow()
  expect(seal.open(sealed, binding)).toBe('x')
  now = 1051
  expect(() => seal.open(sealed, binding)).toThrow()
})

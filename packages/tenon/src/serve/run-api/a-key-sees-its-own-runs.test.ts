import type { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { WRITING } from '../../../test/tenon-process.js'
import { bodyHandle } from './body-handle.js'
import { ROUTES } from './routes.js'

const CONFIG = `
agents:
  writer: { public: {} }
  inner: {}
serve:
  access:
    bearer: { alice: '\${ALICE}', bob: '\${BOB}', reader: '\${READER}', boss: '\${BOSS}' }
    scopes:
      - { owner: reader, may: [runs:read] }
      - { owner: boss, may: [runs:read, runs:write, inbox:answer, runs:any] }
`
const environment = { ALICE: 'key-of-alice', BOB: 'key-of-bob', READER: 'key-of-reader', BOSS: 'key-of-boss' }
const as = (owner: keyof typeof environment) => ({ authorization: `Bearer ${environment[owner]}` })

const server = () => servedRuns({ rehearsal: WRITING, config: CONFIG, environment })

test('nobody gets in without a key, on any route that is about runs', async () => {
  const { ask } = await server()
  for (const { method, path, scope } of ROUTES) {
    const asked = `${method} ${path.replace(/\{\w+\}/g, 'run_x')}`
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const answer = await ask(asked, { headers, ...(method === 'POST' ? { body: {} } : {}) })
      expect([asked, answer.status]).toEqual([asked, scope === undefined ? 200 : 401])
    }
  }
})

test('what one key began, another cannot see, answer, fork, cancel or read a byte of', async () => {
  const { ask, run, host } = await server()
  const id = (await run('Write it.', as('ALICE'))) as RunId
  const request = (await ask('GET /inbox', { headers: as('ALICE') })).at('/requests/0/id')
  const { artifactId } = host.store.artifacts.put(Buffer.from('secret'), { name: 'a', mediaType: 'b', runId: id })
  const hidden: readonly [string, unknown?][] = [
    [`GET /runs/${id}`],
    [`GET /runs/${id}/events`],
    [`GET /runs/${id}/events/stream`],
    [`GET /runs/${id}/turns/t1/view`],
    [`GET /runs/${id}/budget`],
    [`GET /artifacts/${artifactId}`],
    [`GET /artifacts/${bodyHandle(id, 1, '/goal')}`],
    [`POST /inbox/${request}`, { answer: { kind: 'approve' } }],
    [`POST /runs/${id}/messages`, { message: 'Stop.' }],
    [`POST /runs/${id}/fork`, { seq: 1 }],
    [`POST /runs/${id}/cancel`, {}],
    [`DELETE /runs/${id}`],
  ]
  for (const [asked, body] of hidden) {
    const answer = await ask(asked, { headers: as('BOB'), ...(body === undefined ? {} : { body }) })
    expect([asked, answer.status]).toEqual([asked, 404])
    expect(answer.text).not.toContain('alice')
  }
  expect((await ask('GET /runs', { headers: as('BOB') })).body).toEqual({ runs: [] })
  expect((await ask('GET /inbox', { headers: as('BOB') })).body).toEqual({ requests: [] })
  expect((await ask('GET /runs', { headers: as('ALICE') })).at('/runs')).toHaveLength(1)
  expect((await ask(`GET /artifacts/${artifactId}`, { headers: as('ALICE') })).text).toBe('secret')
  expect((await host.engine.state(id)).state).toBe('input-required')
})

test('a conversation of somebody else is one that is not there', async () => {
  const { ask } = await server()
  const begin = (owner: keyof typeof environment, contextId?: string) =>
    ask('POST /runs', { headers: as(owner), body: { goal: 'Write it.', ...(contextId && { contextId }) } })
  const contextId = String((await begin('ALICE')).at('/contextId'))
  const refused = await begin('BOB', contextId)
  expect(refused).toMatchObject({ status: 422, body: { error: { code: 'context-unknown' } } })
  const none = await begin('BOB', 'ctx_none')
  expect(refused.text.replace(contextId, '')).toBe(none.text.replace('ctx_none', ''))
  expect((await begin('ALICE', contextId)).status).toBe(201)
  expect((await begin('BOSS', contextId)).status).toBe(201)
})

test('a key that may read does nothing else', async () => {
  const { ask } = await server()
  for (const { method, path, scope } of ROUTES.filter(({ scope }) => scope !== undefined)) {
    const asked = `${method} ${path.replace(/\{\w+\}/g, 'run_x')}`
    const { status } = await ask(asked, { headers: as('READER'), ...(method === 'POST' ? { body: {} } : {}) })
    expect([asked, status === 403]).toEqual([asked, scope !== 'runs:read'])
  }
})

test('a key for everybody’s runs sees and answers them, and gives goals to every agent', async () => {
  const { ask, run } = await server()
  const id = await run('Write it.', as('ALICE'))
  const request = (await ask('GET /inbox', { headers: as('BOSS') })).at('/requests/0/id')
  const body = { answer: { kind: 'deny' } }
  const answered = await ask(`POST /inbox/${request}`, { headers: as('BOSS'), body })
  expect(answered.at('/first/by')).toBe('client::boss')
  expect((await ask(`GET /runs/${id}`, { headers: as('BOSS') })).status).toBe(200)
  const inner = { goal: 'Write it.', agent: 'inner' }
  expect((await ask('POST /runs', { headers: as('BOSS'), body: inner })).status).toBe(201)
  expect((await ask('POST /runs', { headers: as('ALICE'), body: inner })).at('/error/code')).toBe('agent-unknown')
  expect((await ask('GET /agents', { headers: as('ALICE') })).body).toEqual({
    agents: [{ name: 'writer', main: true }],
  })
})

test('a fork belongs to whoever made it', async () => {
  const { ask, run } = await server()
  const id = await run('Write it.', as('ALICE'))
  const fork = await ask(`POST /runs/${id}/fork`, { headers: as('BOSS'), body: { seq: 3 } })
  expect((await ask(`GET /runs/${fork.at('/runId')}`, { headers: as('BOSS') })).at('/principal')).toBe('client::boss')
  expect((await ask(`GET /runs/${fork.at('/runId')}`, { headers: as('ALICE') })).status).toBe(404)
})

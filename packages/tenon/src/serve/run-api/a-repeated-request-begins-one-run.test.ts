import type { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { WRITING } from '../../../test/tenon-process.js'

const GOAL = { goal: 'Write it.' }

test('the same goal with the same key is one run, one after the other or at once', async () => {
  const { ask } = await servedRuns({ rehearsal: WRITING })
  const headers = { 'idempotency-key': 'order 7' }
  const once = await Promise.all([1, 2, 3, 4].map(() => ask('POST /runs', { body: GOAL, headers })))
  const again = await ask('POST /runs', { body: { ...GOAL }, headers })
  expect(again.status).toBe(200)
  expect(new Set([...once, again].map((answer) => answer.at('/runId'))).size).toBe(1)
  expect((await ask('GET /runs')).at('/runs')).toHaveLength(1)
  expect((await ask('POST /runs', { body: { goal: 'Another.' }, headers })).at('/error/code')).toBe('key-reused')
  await ask('POST /runs', { body: GOAL })
  expect((await ask('GET /runs')).at('/runs')).toHaveLength(2)
})

test('a fork with the same key is one run', async () => {
  const { ask, run } = await servedRuns({ rehearsal: WRITING })
  const id = await run('Write it.')
  const headers = { 'idempotency-key': 'again' }
  const [first, second] = [
    await ask(`POST /runs/${id}/fork`, { body: { seq: 4 }, headers }),
    await ask(`POST /runs/${id}/fork`, { body: { seq: 4 }, headers }),
  ]
  expect([first.status, second.status, second.at('/runId')]).toEqual([201, 200, first.at('/runId')])
  expect((await ask(`POST /runs/${id}/fork`, { body: { seq: 5 }, headers })).at('/error/code')).toBe('key-reused')
  for (const seq of [99, 10_000_000])
    expect((await ask(`POST /runs/${id}/fork`, { body: { seq } })).at('/error/code')).toBe('fork-invalid')
})

test('a fork asks again, and what it does leaves the other run alone', async () => {
  const { ask, run, host } = await servedRuns({ rehearsal: WRITING })
  const id = await run('Write it.')
  const { seq } = await host.engine.state(id as RunId)
  const fork = String((await ask(`POST /runs/${id}/fork`, { body: { seq } })).at('/runId')) as RunId
  await host.engine.drive(fork)
  const inbox = await ask('GET /inbox')
  expect(inbox.at('/requests')).toMatchObject([{ runId: id }, { runId: fork }])
  const body = { answer: { kind: 'deny', reason: 'no' } }
  expect((await ask(`POST /inbox/${inbox.at('/requests/1/id')}`, { body })).status).toBe(200)
  expect((await host.engine.drive(fork)).ended?.blocks).toMatchObject([{ text: 'I was not allowed to.' }])
  expect((await ask(`GET /runs/${id}`)).body).toMatchObject({ state: 'input-required', seq })
  expect((await ask(`GET /runs/${fork}`)).body).toMatchObject({ state: 'completed', forkedFrom: { runId: id, seq } })
})

test('a client may lower the bounds of an agent and never raise them', async () => {
  const config = 'agents: { writer: { limits: { steps: 2, tokens: 100000 } } }'
  const { ask, host } = await servedRuns({ rehearsal: WRITING, config })
  const limits = { steps: 50, tokens: 4, money: 1 }
  const id = String((await ask('POST /runs', { body: { ...GOAL, limits } })).at('/runId')) as RunId
  expect((await ask(`GET /runs/${id}/budget`)).at('/limits')).toEqual({ steps: 2, tokens: 4, money: 1 })
  expect((await host.engine.drive(id)).ended?.error?.code).toBe('limit-reached')
  expect((await ask(`GET /runs/${id}`)).at('/errorCode')).toBe('limit-reached')
})

test('a client has only so many runs open, by whatever protocol, and may repeat what it began', async () => {
  const config = 'serve: { openTasks: 2 }'
  const { ask, run } = await servedRuns({ rehearsal: WRITING, config })
  const headers = { 'idempotency-key': 'first' }
  const id = await run('Write it.', headers)
  await run('Write it.')
  for (const [asked, body] of [
    ['POST /runs', GOAL],
    [`POST /runs/${id}/fork`, { seq: 3 }],
  ] as const)
    expect(await ask(asked, { body })).toMatchObject({ status: 429, body: { error: { code: 'too-many-runs' } } })
  expect((await ask('POST /runs', { body: GOAL, headers })).at('/runId')).toBe(id)
  const answer = { answer: { kind: 'deny' } }
  await ask(`POST /inbox/${(await ask(`GET /runs/${id}`)).at('/requests/0/id')}`, { body: answer })
  await ask(`GET /runs/${id}/events/stream`)
  expect((await ask('POST /runs', { body: GOAL })).status).toBe(201)
})

import type { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { type ServedRuns, servedRuns } from '../../../test/kit/served-runs.js'
import { temporaryFolder } from '../../../test/kit/temporary-folder.js'
import { WRITING } from '../../../test/tenon-process.js'

/** What a run was told, once it has ended. */
async function heard({ ask, host }: ServedRuns, id: string): Promise<readonly unknown[]> {
  const [request] = (await ask(`GET /runs/${id}`)).at('/requests') as { id: string }[]
  if (request !== undefined) await ask(`POST /inbox/${request.id}`, { body: { answer: { kind: 'approve' } } })
  await host.engine.drive(id as RunId)
  const events = (await ask(`GET /runs/${id}/events`)).at('/events') as { kind: string; metadata?: object }[]
  return events.filter(({ kind }) => kind === 'message-received')
}

test('a run that waits is told a word, keeps its question, and sees the word in its next turn', async () => {
  const served = await servedRuns({ rehearsal: WRITING })
  const id = await served.run('Write it.')
  const told = await served.ask(`POST /runs/${id}/messages`, { body: { message: 'In green, please.' } })
  expect(told).toMatchObject({ status: 202, body: { runId: id, state: 'input-required' } })
  expect((await served.ask(`GET /runs/${id}`)).at('/requests')).toHaveLength(1)
  expect(await heard(served, id)).toMatchObject([
    { message: { blocks: [{ text: 'In green, please.' }] }, messageId: told.at('/messageId'), by: 'client::' },
  ])
  const view = await served.ask(`GET /runs/${id}/turns/t3/view`)
  expect(view.text).toContain('In green, please.')
  expect(view.at('/messages')).toContainEqual(expect.objectContaining({ role: 'user' }))
})

test('the same word with the same key is said once, at once, one after the other and after the end', async () => {
  const served = await servedRuns({ rehearsal: WRITING })
  const { ask } = served
  const id = await served.run('Write it.')
  const headers = { 'idempotency-key': 'green' }
  const body = { message: 'In green.' }
  const say = () => ask(`POST /runs/${id}/messages`, { body, headers })
  const answers = [...(await Promise.all([say(), say(), say()])), await say()]
  expect(await heard(served, id)).toHaveLength(1)
  const late = await say()
  expect(late.status).toBe(200)
  expect(new Set([...answers, late].map((answer) => answer.at('/messageId'))).size).toBe(1)
  const other = await ask(`POST /runs/${id}/messages`, { body: { message: 'In blue.' }, headers })
  expect(other).toMatchObject({ status: 422, body: { error: { code: 'key-reused' } } })
})

test('without a key each word counts, and a run that has ended hears none', async () => {
  const served = await servedRuns({ rehearsal: WRITING })
  const id = await served.run('Write it.')
  const say = () => served.ask(`POST /runs/${id}/messages`, { body: { message: 'In green.' } })
  await say()
  await say()
  expect(await heard(served, id)).toHaveLength(2)
  expect(await say()).toMatchObject({ status: 409, body: { error: { code: 'run-ended' } } })
  for (const body of [{}, { message: '' }, { message: 'x', role: 'system' }])
    expect((await served.ask(`POST /runs/${id}/messages`, { body })).status).toBe(400)
})

test('a word for a run of another folder waits for whoever drives it there', async () => {
  const store = temporaryFolder()
  const there = await servedRuns({ rehearsal: WRITING, store })
  const id = await there.run('Write it.')
  const here = await servedRuns({ rehearsal: WRITING, store })
  expect((await here.ask(`POST /runs/${id}/messages`, { body: { message: 'In green.' } })).status).toBe(202)
  expect(await heard(there, id)).toHaveLength(1)
})

test('a run begins in the conversation of an earlier one, and in none that is not there', async () => {
  const { ask } = await servedRuns({ rehearsal: WRITING })
  const first = await ask('POST /runs', { body: { goal: 'Write it.' } })
  const contextId = String(first.at('/contextId'))
  const second = await ask('POST /runs', { body: { goal: 'And more.', contextId } })
  expect(second).toMatchObject({ status: 201, body: { contextId } })
  expect((await ask(`GET /runs?contextId=${contextId}`)).at('/runs')).toHaveLength(2)
  const none = await ask('POST /runs', { body: { goal: 'Write it.', contextId: 'ctx_none' } })
  expect(none).toMatchObject({ status: 422, body: { error: { code: 'context-unknown' } } })
})

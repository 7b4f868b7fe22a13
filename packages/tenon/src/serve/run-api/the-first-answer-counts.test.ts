import { RunId } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { expect, test } from 'vitest'
import { type ServedRuns, servedRuns } from '../../../test/kit/served-runs.js'
import { temporaryFolder } from '../../../test/kit/temporary-folder.js'
import { WRITING } from '../../../test/tenon-process.js'

const APPROVE = { answer: { kind: 'approve' } }
const DENY = { answer: { kind: 'deny', reason: 'Not now.' } }

/** A run that asks whether it may write, and the id of its question. */
async function asking({ ask, run }: ServedRuns): Promise<{ readonly runId: string; readonly id: string }> {
  const runId = await run('Write it.')
  return { runId, id: String((await ask(`GET /runs/${runId}`)).at('/requests/0/id')) }
}

test('of two clients that answer at once one is first, and the other is told which', async () => {
  const server = await servedRuns({ rehearsal: WRITING })
  const { runId, id } = await asking(server)
  const answers = await Promise.all(
    [APPROVE, DENY, APPROVE, DENY].map((body) => server.ask(`POST /inbox/${id}`, { body })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const first = answers.find(({ status }) => status === 200)?.at('/first')
  for (const lost of answers.filter(({ status }) => status === 409)) {
    expect(lost.at('/error/code')).toBe('request-answered')
    expect(lost.at('/error/detail/first')).toEqual(first)
  }
  await server.host.engine.drive(RunId(runId))
  const events = server.host.store.journal.load(RunId(runId))
  expect(events.filter(({ kind }) => kind === 'input-answered')).toHaveLength(1)
})

test('two servers over one store know the same first answer', async () => {
  const folder = temporaryFolder()
  const servers = [await servedRuns({ rehearsal: WRITING, folder }), await servedRuns({ rehearsal: WRITING, folder })]
  const [one] = servers
  if (one === undefined) throw new Error('no server')
  const { id } = await asking(one)
  const answers = await Promise.all(
    servers.flatMap(({ ask }) => [APPROVE, DENY].map((body) => ask(`POST /inbox/${id}`, { body }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const firsts = answers.map((answer) => answer.at('/first/seq') ?? answer.at('/error/detail/first/seq'))
  expect(new Set(firsts).size).toBe(1)
})

test('the same answer with the same key is taken once and confirmed again, after a restart too', async () => {
  const folder = temporaryFolder()
  const server = await servedRuns({ rehearsal: WRITING, folder })
  const { id } = await asking(server)
  const headers = { 'idempotency-key': 'k1' }
  const taken = await server.ask(`POST /inbox/${id}`, { body: APPROVE, headers })
  expect(taken.status).toBe(200)
  expect((await server.ask(`POST /inbox/${id}`, { body: APPROVE, headers })).body).toEqual(taken.body)
  await server.close()
  const again = await servedRuns({ rehearsal: WRITING, folder })
  expect((await again.ask(`POST /inbox/${id}`, { body: APPROVE, headers })).body).toEqual(taken.body)
  expect((await again.ask(`POST /inbox/${id}`, { body: DENY, headers })).status).toBe(409)
  expect((await again.ask(`POST /inbox/${id}`, { body: APPROVE })).status).toBe(409)
})

test('an approval that is remembered stays visible on its run', async () => {
  const server = await servedRuns({ rehearsal: WRITING })
  const { runId, id } = await asking(server)
  expect((await server.ask(`GET /runs/${runId}`)).at('/grants')).toEqual([])
  const answer = { kind: 'approve', remember: 'run', pattern: { '/path': 'out*' } }
  expect((await server.ask(`POST /inbox/${id}`, { body: { answer } })).status).toBe(200)
  expect((await server.ask(`GET /runs/${runId}`)).at('/grants')).toMatchObject([
    { tool: 'write_file', scope: 'run', pattern: { '/path': 'out*' }, grantedBy: 'client::' },
  ])
})

test.each([
  [{ kind: 'perhaps' }],
  [{ kind: 'approve', forever: true }],
  [{ kind: 'approve', remember: 'a while' }],
  [{ kind: 'approve', args: 'none' }],
  [{ kind: 'approve', args: { path: 7 } }],
  ['yes'],
  [null],
])('%j is no answer to an approval: it is refused, and the question stays open', async (answer) => {
  const server = await servedRuns({ rehearsal: WRITING })
  const { runId, id } = await asking(server)
  const refused = await server.ask(`POST /inbox/${id}`, { body: { answer } })
  expect(refused).toMatchObject({ status: 422, body: { error: { code: 'answer-invalid' } } })
  expect((await server.ask(`GET /runs/${runId}`)).at('/openInputs')).toBe(1)
})

test('what a run asks no more is no open question; what it never asked is none', async () => {
  const server = await servedRuns({ rehearsal: WRITING })
  const { runId, id } = await asking(server)
  await server.ask(`POST /runs/${runId}/cancel`, { body: { reason: 'enough' } })
  await server.host.engine.drive(RunId(runId))
  expect(await server.ask(`POST /inbox/${id}`, { body: APPROVE })).toMatchObject({
    status: 409,
    body: { error: { detail: { first: { how: 'withdrawn' } } } },
  })
  for (const none of [`${runId}.t9.9.q9`, 'run_x.t1.1.q1', runId, 'x', '..%2f..', `${id}%00`])
    expect((await server.ask(`POST /inbox/${none}`, { body: APPROVE })).at('/error/code')).toBe('request-unknown')
})

test('a run of another folder is answered, and goes on only there', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()]
  const store = `${there}/store`
  const first = await servedRuns({ rehearsal: WRITING, folder: there, store })
  const { runId, id } = await asking(first)
  await first.close()
  const server = await servedRuns({ rehearsal: WRITING, folder: here, store })
  expect((await server.ask('GET /inbox')).at('/requests/0')).toMatchObject({ id, call: { definitionChanged: null } })
  const left = await server.ask(`POST /inbox/${id}`, { body: APPROVE })
  expect(left).toMatchObject({ status: 202, body: { id, next: `tenon runs resume ${runId}` } })
  expect((await server.ask(`GET /runs/${runId}`)).at('/state')).toBe('input-required')
  expect((await server.ask(`POST /runs/${runId}/fork`, { body: { seq: 3 } })).at('/error/code')).toBe('run-elsewhere')
  const kept = openStore({ dir: store })
  expect(kept.inbox.peek(RunId(runId))).toMatchObject([{ kind: 'answer', answer: { kind: 'approve' } }])
  kept.close()

  const again = await servedRuns({ rehearsal: WRITING, folder: there, store })
  expect((await again.host.engine.drive(RunId(runId))).state).toBe('completed')
  expect((await server.ask(`POST /inbox/${id}`, { body: DENY })).at('/error/detail/first/answer/kind')).toBe('approve')
})

test('a run of another folder can be stopped from here', async () => {
  const store = `${temporaryFolder()}/store`
  const first = await servedRuns({ rehearsal: WRITING, store })
  const { runId } = await asking(first)
  await first.close()
  const server = await servedRuns({ rehearsal: WRITING, store })
  expect((await server.ask(`POST /runs/${runId}/cancel`, { body: {} })).status).toBe(202)
  const stream = await server.ask(`GET /runs/${runId}/events/stream`)
  expect(stream.text).toMatch(/event: end\ndata: \{"state":"canceled"/)
})

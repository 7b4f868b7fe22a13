import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { WRITING } from '../../../test/tenon-process.js'
import { openApiDocument } from './open-api-document.js'
import { ROUTES } from './routes.js'

test('the document is OpenAPI 3.1, and tells of every route and of nothing else', async () => {
  const document = openApiDocument(ROUTES) as Record<string, Record<string, object>>
  const checked = await new Validator().validate(structuredClone(document))
  expect(checked.errors).toBeUndefined()
  expect(checked.valid).toBe(true)
  const told = Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(told.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort())
  expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length)
})

test('the document that is served is the one that is shipped, and anybody may read it', async () => {
  const { ask } = await servedRuns({ rehearsal: WRITING })
  const shipped = readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8')
  const served = (await ask('GET /openapi.json')).body
  expect(JSON.parse(shipped), 'write it anew: node scripts/write-open-api.mjs').toEqual(served)
})

test('every route answers as described, from the goal to the end', async () => {
  const { ask, run, called } = await servedRuns({ rehearsal: WRITING })
  expect((await ask('GET /agents')).body).toEqual({ agents: [{ name: 'assistant', main: true }] })
  expect((await ask('GET /skills')).body).toEqual({ skills: [], problems: [] })
  const id = await run('Write it.')
  expect((await ask(`GET /runs/${id}`)).body).toMatchObject({ state: 'input-required', requests: [{ runId: id }] })
  const inbox = await ask('GET /inbox')
  expect(inbox.at('/requests/0')).toMatchObject({
    runId: id,
    kind: 'approval',
    call: { tool: 'write_file', args: { path: 'out.md', content: 'hello' }, definitionChanged: false },
  })
  const request = inbox.at('/requests/0/id')
  const answered = await ask(`POST /inbox/${request}`, { body: { answer: { kind: 'approve' } } })
  expect(answered.body).toMatchObject({ id: request, first: { answer: { kind: 'approve' } } })
  const stream = await ask(`GET /runs/${id}/events/stream`)
  expect(stream.text).toMatch(/\nevent: end\ndata: \{"state":"completed","seq":22\}\n\n$/)
  expect((await ask(`GET /runs/${id}`)).body).toMatchObject({
    state: 'completed',
    seq: 22,
    requests: [],
    result: { blocks: [{ kind: 'text', text: 'It is written.' }] },
  })
  const page = await ask(`GET /runs/${id}/events`)
  expect(page.at('/events')).toHaveLength(22)
  expect((await ask(`GET /runs/${id}/turns/t2/view`)).body).toMatchObject({ turnId: 't2', messages: { length: 3 } })
  expect((await ask(`GET /runs/${id}/budget`)).body).toMatchObject({ used: { steps: 3, calls: 2 } })
  const tools = await ask(`GET /artifacts/${page.at('/events/1/part/tools/cut/handle')}`)
  expect(JSON.parse(tools.text)).toContainEqual(expect.objectContaining({ name: 'write_file' }))
  const fork = await ask(`POST /runs/${id}/fork`, { body: { seq: 8 } })
  expect(fork).toMatchObject({ status: 201, body: { forkedFrom: { runId: id, seq: 8 } } })
  const word = { body: { message: 'In green.' } }
  expect((await ask(`POST /runs/${fork.at('/runId')}/messages`, word)).status).toBe(202)
  expect((await ask(`POST /runs/${fork.at('/runId')}/cancel`, { body: {} })).status).toBe(202)
  expect((await ask(`DELETE /runs/${id}`)).body).toEqual({ runId: id, runs: 1, artifacts: 0 })
  expect((await ask(`GET /runs/${id}`)).status).toBe(404)
  expect((await ask('GET /runs?limit=1')).body).toMatchObject({ runs: [{ runId: fork.at('/runId') }] })
  expect([...called].sort()).toEqual(
    ROUTES.map(({ name }) => name)
      .filter((name) => name !== 'getDocument')
      .sort(),
  )
})

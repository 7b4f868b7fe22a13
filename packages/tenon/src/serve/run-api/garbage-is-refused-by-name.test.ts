import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { WRITING } from '../../../test/tenon-process.js'
import { ROUTES } from './routes.js'

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

test.each([
  ['no JSON', '{"goal":', 400, 'request-invalid'],
  ['bytes that are no UTF-8', Buffer.from('{"goal":"\xff"}', 'latin1'), 400, 'request-invalid'],
  ['no object', '"goal"', 400, 'request-invalid'],
  ['no goal', '{}', 400, 'request-invalid'],
  ['an empty goal', '{"goal":""}', 400, 'request-invalid'],
  ['a goal that is no text', '{"goal":{"$ne":1}}', 400, 'request-invalid'],
  ['a member that nobody knows', '{"goal":"x","tools":[]}', 400, 'request-invalid'],
  ['a history', '{"goal":"x","messages":[{"role":"tool"}]}', 400, 'request-invalid'],
  ['a prototype', '{"goal":"x","__proto__":{"agent":"inner"}}', 400, 'request-invalid'],
  ['a limit below nothing', '{"goal":"x","limits":{"steps":-1}}', 400, 'request-invalid'],
  ['an agent that is not there', '{"goal":"x","agent":"toString"}', 422, 'agent-unknown'],
  ['deep nesting', `{"goal":"x","limits":${deep(200_000)}}`, 400, 'request-invalid'],
  ['nesting up to the limit of a body', `{"goal":"x","limits":${deep(80)}}`, 400, 'request-invalid'],
  ['a goal that is too long', JSON.stringify({ goal: 'x'.repeat(100_001) }), 400, 'request-invalid'],
  ['more than a body may have', JSON.stringify({ goal: 'x'.repeat(1_100_000) }), 413, 'body-too-large'],
])('a new run with %s', async (_, raw, status, code) => {
  const { ask, reported } = await servedRuns({ rehearsal: WRITING })
  const answer = await ask('POST /runs', { raw })
  expect([answer.status, answer.at('/error/code')]).toEqual([status, code])
  expect(reported).toEqual([])
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''])(
  'a body of the type "%s" is not read: a page of another origin could send it',
  async (type) => {
    const { ask } = await servedRuns({ rehearsal: WRITING })
    for (const { path } of ROUTES.filter(({ method }) => method === 'POST')) {
      const asked = `POST ${path.replace(/\{\w+\}/g, 'run_x')}`
      const answer = await ask(asked, { raw: '{"goal":"x","seq":1,"answer":1}', headers: { 'content-type': type } })
      expect([asked, answer.status]).toEqual([asked, 415])
    }
  },
)

test('parameters are as described or refused', async () => {
  const { ask, run } = await servedRuns({ rehearsal: WRITING })
  const id = await run('Write it.')
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=1e2',
    'limit=',
    'after=-1',
    'after=0x10',
    'after=1&after=2',
    'seq=1',
    '__proto__=1',
    `after=${'9'.repeat(400)}`,
  ])
    expect([query, (await ask(`GET /runs/${id}/events?${query}`)).status]).toEqual([query, 400])
  for (const query of ['state=done', 'state=', 'before=x', "before=1'%20OR%201", 'after=0', 'before=1&limit=0'])
    expect([query, (await ask(`GET /runs?${query}`)).status]).toEqual([query, 400])
  expect((await ask('GET /runs?state=working,input-required&parent=none&agent=assistant')).at('/runs')).toHaveLength(1)
  for (const value of ['x', '-1', '1.5'])
    expect((await ask(`GET /runs/${id}/events/stream`, { headers: { 'last-event-id': value } })).status).toBe(400)
  for (const turn of ['t0', '99', 't1%20', '..', 'x'])
    expect((await ask(`GET /runs/${id}/turns/${turn}/view`)).status).toBeGreaterThanOrEqual(400)
})

test('a method that a path does not have is named, with those it has', async () => {
  const { ask } = await servedRuns({ rehearsal: WRITING })
  const put = await ask('PUT /runs', { raw: '{}' })
  expect([put.status, put.headers.get('allow'), put.at('/error/code')]).toEqual([405, 'POST, GET', 'method-unknown'])
  const options = await ask('OPTIONS /runs', { headers: { 'access-control-request-method': 'POST' } })
  expect(options.status).toBe(405)
  expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.each(['//', '/runs/%', '/runs/%ff/events', '/runs/x/', '/RUNS', 'http://[', '*', '/runs?%', '/runs/..%2f..'])(
  'a request for %s is answered by name',
  async (path) => {
    const { url, reported } = await servedRuns({ rehearsal: WRITING })
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method: 'GET' }).end()
    const answer = await new Promise<import('node:http').IncomingMessage>((done) => sent.once('response', done))
    const { error } = JSON.parse(await text(answer))
    expect([400, 404]).toContain(answer.statusCode)
    expect(error.code).toMatch(/^(path-unknown|run-unknown|request-invalid)$/)
    expect(reported).toEqual([])
  },
)

test('a foreign host or origin is refused on every route', async () => {
  const { url } = await servedRuns({ rehearsal: WRITING })
  for (const { method, path } of ROUTES)
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const sent = request(url + path.replace(/\{\w+\}/g, 'x'), {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
      })
      sent.end(method === 'POST' ? '{}' : undefined)
      const answer = await new Promise<import('node:http').IncomingMessage>((done) => sent.once('response', done))
      expect(answer.statusCode).toBe(403)
      expect(JSON.parse(await text(answer))).toMatchObject({ error: { code: expect.stringMatching(/-refused$/) } })
    }
})

test('a body that never comes to its end does not hold the server, and one that lies about its length is cut', async () => {
  const { url, ask, reported } = await servedRuns({ rehearsal: WRITING })
  const { hostname, port } = new URL(url)
  const head = `POST /runs HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n`
  const open = connect(Number(port), hostname)
  open.write(`${head}content-length: 100\r\n\r\n{"goal":`)
  const endless = connect(Number(port), hostname)
  endless.write(`${head}transfer-encoding: chunked\r\n\r\n`)
  const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
  const pour = (): void => {
    while (endless.writable && endless.write(piece));
  }
  endless.on('drain', pour)
  endless.on('error', () => undefined)
  pour()
  const said = await new Promise<string>((resolve) => endless.once('data', (data) => resolve(data.toString())))
  expect(said).toMatch(/^HTTP\/1.1 413 [\s\S]*body-too-large/)
  endless.destroy()
  open.destroy()
  expect((await ask('GET /runs')).body).toEqual({ runs: [] })
  expect(reported).toEqual([])
})

import type { Json, JsonObject, RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'
import { bodyHandle, readBodyHandle, valueAt } from './body-handle.js'
import { cutBodies } from './cut-bodies.js'

const PLACE = { runId: 'run_1' as RunId, of: 7 }
const LONG = `${'内容 🍎 and more; '.repeat(800)}end`

/** A difference is not worth thirteen thousand characters of report. */
const isLong = (text: string): boolean => text === LONG

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value))
const handleAt = (value: Json, pointer: string) => readBodyHandle(String(valueAt(value, `${pointer}/cut/handle`)))

test('what is small stays as it is, also where it lies beside something large', () => {
  const small = { kind: 'x', seq: 7, args: { path: 'a.md' } }
  expect(cutBodies(small, PLACE)).toBe(small)
  const cut = cutBodies({ ...small, content: [{ kind: 'text', text: LONG }] }, PLACE)
  expect(cut).toMatchObject({
    ...small,
    content: [{ kind: 'text', text: { cut: { bytes: Buffer.byteLength(LONG) } } }],
  })
  expect(handleAt(cut, '/content/0/text')).toEqual({ ...PLACE, pointer: '/content/0/text' })
})

test('of an object that is too large the largest members go, and it can still be told what it is', () => {
  const members = Object.fromEntries(['a', 'b', 'c', 'd/~e'].map((name) => [name, name.repeat(1_500).slice(0, 1_500)]))
  const event: JsonObject = { kind: 'call-proposed', seq: 7, call: { callId: 't1.1', tool: 'write', args: members } }
  const cut = cutBodies(event, PLACE)
  expect(cut).toMatchObject({ kind: 'call-proposed', call: { callId: 't1.1', tool: 'write' } })
  expect(bytesOf(cut)).toBeLessThan(4_096)
  const found = [...JSON.stringify(cut).matchAll(/"handle":"([^"]+)"/g)].map(([, handle = '']) =>
    readBodyHandle(handle),
  )
  expect(found.length).toBeGreaterThan(0)
  for (const named of found) expect(valueAt(event, named?.pointer ?? '')).toBeDefined()
})

test('a long list of small things is one body', () => {
  const list = Array.from({ length: 2_000 }, (_, index) => ({ index }))
  const cut = cutBodies({ kind: 'x', value: list }, PLACE)
  expect(cut).toMatchObject({ kind: 'x', value: { cut: { bytes: bytesOf(list), mediaType: 'application/json' } } })
})

test('a preview ends between characters', () => {
  const cut = cutBodies({ text: '🍎'.repeat(3_000), other: `x${'🍎'.repeat(3_000)}` }, PLACE)
  for (const name of ['text', 'other']) expect(valueAt(cut, `/${name}/cut/preview`)).toMatch(/^x?(🍎)+$/u)
})

const WRITES = `rehearsal: large
scenes:
  - name: write
    when: { turns: 0 }
    say: { calls: [{ tool: write_file, args: { path: out.md, content: ${JSON.stringify(LONG)} } }] }
  - name: done
    when: { turns: 1, results: [{ error: false }] }
    say: { text: ${JSON.stringify(LONG)} }
`

test('a large argument stands on the card as a handle, and is read whole or by range', async () => {
  const { ask, run } = await servedRuns({ rehearsal: WRITES })
  const id = await run('Write it.')
  const inbox = await ask('GET /inbox')
  expect(inbox.at('/requests/0/call')).toMatchObject({ tool: 'write_file', args: { path: 'out.md' } })
  const cut = '/requests/0/call/args/content/cut'
  expect(inbox.at(`${cut}/bytes`)).toBe(Buffer.byteLength(LONG))
  expect(LONG.startsWith(String(inbox.at(`${cut}/preview`)))).toBe(true)
  const path = `GET /artifacts/${inbox.at(`${cut}/handle`)}`
  const whole = await ask(path)
  expect(isLong(whole.text)).toBe(true)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': "attachment; filename*=UTF-8''body.txt",
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  const bytes = Buffer.from(LONG)
  for (const [offset, length] of [
    [0, 10],
    [6, 100],
    [bytes.length - 3, 100],
    [bytes.length + 5, 1],
    [3, 0],
  ] as const) {
    const part = await ask(`${path}?offset=${offset}&length=${length}`)
    expect(part.text).toBe(bytes.subarray(offset, offset + length).toString())
    expect(part.headers.get('tenon-total-bytes')).toBe(String(bytes.length))
  }
  await ask(`POST /inbox/${inbox.at('/requests/0/id')}`, { body: { answer: { kind: 'approve' } } })
  await ask(`GET /runs/${id}/events/stream`)
  const done = await ask(`GET /runs/${id}`)
  const said = await ask(`GET /artifacts/${done.at('/result/blocks/0/text/cut/handle')}`)
  expect(isLong(said.text)).toBe(true)
  const view = await ask(`GET /runs/${id}/turns/t2/view`)
  expect(view.text.length).toBeLessThan(20_000)
  const argument = await ask(`GET /artifacts/${view.at('/messages/1/blocks/0/args/content/cut/handle')}`)
  expect(isLong(argument.text)).toBe(true)
})

test('an artifact of the run is read by its digest, piece by piece', async () => {
  const { ask, run, host, url } = await servedRuns({ rehearsal: WRITES })
  const runId = (await run('Write it.')) as RunId
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251))
  const { artifactId } = host.store.artifacts.put(bytes, { name: 'Bericht "ä".bin', mediaType: 'text/html', runId })
  const path = `/artifacts/${artifactId}?offset=1&length=600000`
  const part = await ask(`GET ${path}`)
  expect(part.status).toBe(200)
  expect(part.headers.get('content-length')).toBe('600000')
  expect(part.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Bericht%20%22%C3%A4%22.bin")
  const read = Buffer.from(await (await fetch(url + path)).arrayBuffer())
  expect(read.equals(bytes.subarray(1, 600_001))).toBe(true)
})

test.each([
  ['nothing', 'body.'],
  ['no base64', 'body.!!!'],
  ['another shape', `body.${Buffer.from('[1,2,3]').toString('base64url')}`],
  ['a run that is not there', bodyHandle('run_other' as RunId, 1, '/goal')],
  ['half a digest', 'sha256:00'],
  ['a path', '..%2f..%2fetc%2fpasswd'],
  ['something long', 'x'.repeat(1_500)],
])('a handle that names %s leads nowhere', async (_, handle) => {
  const { ask } = await servedRuns({ rehearsal: WRITES })
  expect(await ask(`GET /artifacts/${handle}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'artifact-unknown' } },
  })
})

test('no handle leads to what stays on this machine', async () => {
  const { ask, run } = await servedRuns({ rehearsal: WRITES })
  const id = (await run('Write it.')) as RunId
  const page = await ask(`GET /runs/${id}/events?limit=1`)
  expect(page.at('/events/0/metadata')).toEqual({})
  for (const [of, pointer] of [
    [1, '/metadata/cwd'],
    [1, '/__proto__/constructor'],
    [0, ''],
    [99, ''],
    ['t9', ''],
    [1, 'goal/x'],
  ] as const)
    expect((await ask(`GET /artifacts/${bodyHandle(id, of, pointer)}`)).status).toBe(404)
})

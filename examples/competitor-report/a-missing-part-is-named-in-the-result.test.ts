import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { needs } from '../../test-support/needs.js'
import { type Desk, type ExamplePlace, examplePlace } from './example-place.js'

needs('a sandbox (Linux)', () => process.platform === 'linux')

// Up to twelve processes for each: on a machine that others use as well they take their time.
vi.setConfig({ testTimeout: 120_000 })

let place: ExamplePlace
let desk: Desk | undefined
beforeEach(async () => {
  place = await examplePlace()
})
afterEach(async () => {
  await desk?.close()
  desk = undefined
  place.remove()
})

/** An address where nobody listens any more. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}`
}

/** The last text that was checked, as the run kept it. */
async function checkedReport(url: string): Promise<string> {
  const { out } = await place.tenon(['runs', 'export', 'last'], url)
  const events: { kind: string; call?: { args: { files?: Record<string, string> } } }[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return (
    events.findLast(({ call }) => call?.args.files?.['report.md'] !== undefined)?.call?.args.files?.['report.md'] ?? ''
  )
}

test('with the research desk down the report is made of our own sources and says what is missing', async () => {
  const url = await deadAddress()
  const ended = await place.pursue(url)
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('reports/meridian-kinetics.pdf') })
  expect(place.read('reports/meridian-kinetics.pdf').startsWith('%PDF-1.7')).toBe(true)
  expect(await checkedReport(url)).toContain(
    'Everything published outside the house: the research desk was not reached',
  )
})

test('a CRM that never answers is given up, and the report goes without deals', async () => {
  desk = await place.startDesk()
  place.change('servers/crm.mjs', (text) =>
    text.replace('from, to }) => {', 'from, to }) => {\n    await new Promise(() => {})'),
  )
  place.change('tenon.yaml', (text) => text.replace('timeout: 20s', 'timeout: 3s'))
  const ended = await place.pursue(desk.url)
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('reports/meridian-kinetics.pdf') })
  expect(await checkedReport(desk.url)).toContain('Deals won and lost: the CRM gave no answer.')
})

test('without a sandbox nothing is checked, so nothing is delivered, and what was found is told', async () => {
  desk = await place.startDesk()
  place.change('tenon.yaml', (text) => `${text}\nsandbox: { require: strong, backend: unconfined }\n`)
  const ended = await place.pursue(desk.url)
  expect(ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('There is no report: the red lines could not be checked'),
  })
  expect(ended.out).toMatch(/10 deals won and\s+11 lost/)
  expect(place.has('reports')).toBe(false)
})

test.each([
  ['tokens', ['--tokens', '3000']],
  ['money', ['--money', '0.05']],
])('a budget of %s that is too small ends the run by its name, and no file is there', async (_, budget) => {
  desk = await place.startDesk()
  const ended = await place.pursue(desk.url, '--yes', budget)
  expect(ended.code).toBe(1)
  expect(ended.log).toMatch(/end: failed: .*limit/)
  expect(place.has('reports')).toBe(false)
})

test('refused at every step, it says that nothing was written, and the desk never heard of it', async () => {
  desk = await place.startDesk()
  const ended = await place.pursue(desk.url, '--deny')
  expect(ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('you declined to have it saved: no file was written'),
  })
  expect(place.has('reports')).toBe(false)
  const { out } = await place.tenon(['runs', 'list', '--store', 'research/.tenon'], desk.url)
  expect(out).toBe('')
})

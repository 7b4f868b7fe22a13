import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../test-support/needs.js'
import { type ExamplePlace, examplePlace, GOAL, SCOPE } from './example-place.js'

needs('a sandbox (Linux)', () => process.platform === 'linux')

let place: ExamplePlace
/** The analyst's journal and that of the desk, as their owners may export them. */
let analyst = ''
let desk = ''

beforeAll(async () => {
  place = await examplePlace()
  const serving = await place.startDesk()
  try {
    expect(await place.pursue(serving.url)).toMatchObject({ code: 0 })
    analyst = (await place.tenon(['runs', 'export', 'last'], serving.url)).out
    desk = (await place.tenon(['runs', 'export', 'last', '--store', 'research/.tenon'], serving.url)).out
  } finally {
    await serving.close()
  }
}, 120_000)
afterAll(() => place.remove())

type Message = { method?: string; params?: { name?: string; arguments?: unknown; _meta?: Record<string, unknown> } }

/** What the host sent to a server, as the tap recorded it. */
const sentTo = (server: string): readonly Message[] =>
  place
    .read(`.tenon/tap-${server}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { from: string; message?: Message })
    .filter(({ from }) => from === 'client')
    .map(({ message = {} }) => message)

const callsTo = (server: string) => sentTo(server).filter(({ method }) => method === 'tools/call')
const callsOf = (server: string) => callsTo(server).map(({ params }) => [params?.name, params?.arguments])

test('a server is told the arguments of a query and nothing else', () => {
  expect(callsOf('kb')).toEqual([
    ['search_documents', { query: 'Meridian Kinetics MK-600' }],
    ...['product-comparison', 'service-network', 'tenders-2026', 'field-note-batteries'].map((id) => [
      'read_document',
      { id },
    ]),
  ])
  expect(callsOf('crm')).toEqual([['win_loss', { competitor: 'Meridian Kinetics', from: '2025-Q4', to: '2026-Q3' }]])
})

test.each(['kb', 'crm'])('no word of the conversation reaches %s, nor of the other server or the desk', (server) => {
  const said = JSON.stringify(sentTo(server))
  const words = [GOAL, 'compliance', 'red line', 'analyst of Larkspur', SCOPE, '林若溪', 'lost_percent', 'Data sheets']
  for (const word of words) {
    expect([word, analyst.includes(word)]).toEqual([word, true])
    expect([word, said.includes(word)]).toEqual([word, false])
  }
})

test('each server was spoken to in the era that it speaks', () => {
  const versions = (server: string) =>
    new Set(callsTo(server).map(({ params }) => params?._meta?.['io.modelcontextprotocol/protocolVersion']))
  expect(versions('kb')).toEqual(new Set(['2026-07-28']))
  expect(versions('crm')).toEqual(new Set([undefined]))
  expect(sentTo('crm').some(({ method }) => method === 'initialize')).toBe(true)
})

test('the desk is told the brief and the answer, and shows neither its skill nor its server nor what it left out', () => {
  for (const told of ['Find what has been published about Meridian Kinetics', SCOPE])
    expect([told, desk.includes(told)]).toEqual([told, true])
  for (const kept of ['lost_percent', 'Claims before prose', 'EUR 41,500'])
    expect([kept, desk.includes(kept)]).toEqual([kept, false])
  for (const inside of ['source-grading', 'press__search_press', 'robot-corner']) {
    expect([inside, desk.includes(inside), analyst.includes(inside)]).toEqual([inside, true, false])
  }
})

test('the method comes in three levels, each when it is needed, and the task stays in view to the end', async () => {
  const view = async (turn: string) => (await place.tenon(['runs', 'show', 'last', '--view', turn, '--full'], '')).out
  const [first, second, third, last] = await Promise.all(['t1', 't2', 't3', 't10'].map(view))
  const description = 'How Larkspur writes reports about competitors'
  const body = 'Claims before prose'
  const reference = 'Before the report leaves the house'
  const levels = [first, second, third].map((text = '') =>
    [description, body, reference].map((part) => text.includes(part)),
  )
  expect(levels).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ])
  for (const part of [GOAL, description, body]) expect([part, last?.includes(part)]).toEqual([part, true])
})

test('names of customers stay in the database', () => {
  const names = [...place.read('servers/crm.sql').matchAll(/\('K-\d+', '([^']+)'/g)].map(([, name = '']) => name)
  expect(names).toHaveLength(12)
  for (const name of names) expect([name, analyst.includes(name)]).toEqual([name, false])
})

test('each step names its layer, its consent and its cost, and one budget holds for both agents', async () => {
  const { out } = await place.tenon(['runs', 'show', 'last', '--json'], '')
  const report: {
    cost: number
    delegated: { tokens: number; money: number }
    turns: { cost: number; tokens: number }[]
    calls: { tool: string; layer: string; consent: { decision: string; by?: string }; cost: number }[]
  } = JSON.parse(out)
  expect(new Set(report.calls.map(({ layer }) => layer))).toEqual(
    new Set(['skill compliant-report', 'skill report-pdf', 'mcp kb', 'mcp crm', 'peer research', 'function']),
  )
  const asked = report.calls.filter(({ consent }) => consent.decision === 'approved')
  expect(asked.map(({ tool, consent }) => [tool, consent.by])).toEqual([
    ['delegate', 'cli'],
    ['run_skill_script', 'cli'],
    ['save_artifact', 'cli'],
  ])
  expect(report.turns.every(({ cost }) => cost > 0)).toBe(true)
  expect(report.delegated.tokens).toBeGreaterThan(1_000)
  const sum = [...report.turns, ...report.calls].reduce((total, { cost }) => total + cost, 0)
  expect(report.cost).toBeCloseTo(sum, 6)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '../../scripts/run-node.mjs'
import { median } from '../bench-contract.mjs'
import { fillStore, LONG_RUN } from './filled-store.mjs'

const TIMES = 15
const STEPS = 400

/** A run of so many steps as fast as they go. */
const REHEARSAL = `rehearsal: quick
scenes:
  - { name: done, when: { turns: ${STEPS} }, say: { text: Done. } }
  - { name: again, when: { results: [{ error: false }] }, say: { text: Once more., calls: [{ tool: list_files, args: { path: . } }] } }
  - { name: begin, say: { text: I begin., calls: [{ tool: list_files, args: { path: . } }] } }
`

/**
 * One round against a fresh process.
 *
 * @param {(name: string) => boolean} wanted
 */
export async function measureRuns(wanted) {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-bench-runs-'))
  fillStore(join(dir, 'store'))
  writeFileSync(join(dir, 'quick.yaml'), REHEARSAL)
  const command = join(repoRoot, 'packages', 'tenon', 'dist', 'bin', 'tenon.js')
  const server = spawn(
    process.execPath,
    [command, 'serve', '--port', '0', '--store', 'store', '--rehearsal', 'quick.yaml'],
    { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const gone = once(server, 'exit')
  try {
    const [printed] = await once(server.stdout.setEncoding('utf8'), 'data')
    const { url } = JSON.parse(printed)
    const rows = []
    for (const [name, { unit, measure }] of Object.entries(CASES))
      if (wanted(name)) rows.push({ name, unit, value: await measure(url) })
    return rows
  } finally {
    server.kill('SIGKILL')
    await gone
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @type {Record<string, { unit: string, measure: (url: string) => Promise<number> }>} */
const CASES = {
  'list-1000-of-10000': {
    unit: 'ms',
    measure: (url) => read(`${url}/runs?limit=1000`, ({ runs }) => runs.length === 1_000),
  },
  'inbox-first': { unit: 'ms', measure: (url) => read(`${url}/inbox`, isInbox, 1) },
  inbox: { unit: 'ms', measure: (url) => read(`${url}/inbox`, isInbox) },
  'page-1000-of-10000': {
    unit: 'ms',
    measure: (url) =>
      read(`${url}/runs/${LONG_RUN}/events?after=5000&limit=1000`, ({ events }) => events.length === 1_000),
  },
  'history-10000': { unit: 'ms', measure: history },
  'reconnect-at-10000': { unit: 'ms', measure: reconnect },
  'live-events': { unit: 'events/s', measure: live },
}

/** @param {any} body */
const isInbox = ({ requests }) => requests.length === 3

/** The median of a request with its body. @param {string} url @param {(body: any) => boolean} isRight @param {number} [times] */
async function read(url, isRight, times = TIMES) {
  const took = []
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    const body = await (await fetch(url)).json()
    took.push(performance.now() - began)
    if (!isRight(body)) throw new Error(`${url} answered ${JSON.stringify(body).slice(0, 200)}`)
  }
  return median(took)
}

/** @param {string} url */
async function history(url) {
  const began = performance.now()
  let count = 0
  for (let after = 0; after !== undefined; ) {
    const page = /** @type {any} */ (
      await (await fetch(`${url}/runs/${LONG_RUN}/events?after=${after}&limit=1000`)).json()
    )
    count += page.events.length
    after = page.next
  }
  if (count < 10_000) throw new Error(`${count} events came`)
  return performance.now() - began
}

/** From the request to the one event that the client did not have. @param {string} url */
async function reconnect(url) {
  const took = []
  for (let time = 0; time < TIMES; time++) {
    const cut = new AbortController()
    const began = performance.now()
    const response = await fetch(`${url}/runs/${LONG_RUN}/events/stream?after=10000`, { signal: cut.signal })
    for await (const event of eventsOf(response)) {
      if (!event.includes('\ndata:')) continue
      took.push(performance.now() - began)
      break
    }
    cut.abort()
  }
  return median(took)
}

/** Events of the journal that one reader gets of a run that goes as fast as it can. @param {string} url */
async function live(url) {
  const submitted = await fetch(`${url}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ goal: 'Go.', limits: { steps: 2 * STEPS } }),
  })
  const { runId } = /** @type {any} */ (await submitted.json())
  const began = performance.now()
  let count = 0
  for await (const event of eventsOf(await fetch(`${url}/runs/${runId}/events/stream`))) {
    if (event.startsWith('id: ')) count++
    if (!event.startsWith('event: end')) continue
    if (!event.includes(`"state":"completed","seq":${count}`)) throw new Error(`${count} events, then ${event}`)
    return (count / (performance.now() - began)) * 1_000
  }
  throw new Error('the stream was cut')
}

/** @param {Response} response */
async function* eventsOf(response) {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of /** @type {AsyncIterable<Uint8Array>} */ (response.body)) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks
  }
}

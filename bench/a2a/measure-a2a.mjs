import { call, eventsOf, open, said } from '../../scripts/crash-a2a/a2a-client.mjs'
import { median } from '../bench-contract.mjs'

const STREAMS = 200
/** The compilers need so many to be through with all servers. */
const WARM_TRIPS = 300
const TRIPS = 50

/**
 * One figure of one server, in milliseconds: raw HTTP on the loopback address, JSON-RPC 1.0.
 *
 * @param {string} name
 * @param {string} url
 */
export async function measureA2A(name, url) {
  await readStream(url, 'echo warm')
  if (name === 'chunks-1000') return chunks(url, 1_000)
  return streams(url)
}

/** From the request to the end of its stream. @param {string} url @param {number} count */
async function chunks(url, count) {
  const began = performance.now()
  const events = await readStream(url, `chunks ${count}`)
  const took = performance.now() - began
  const seen = events.filter((event) => event.artifactUpdate).length
  if (seen !== count) throw new Error(`${seen} chunks came, not ${count}`)
  return took
}

/**
 * A task that is over at once, answered when it is. The servers are asked by turns, so that what the machine does
 * meanwhile is nobody's advantage: the medians of all trips, and of the slowest turn, in milliseconds.
 *
 * @param {readonly string[]} urls
 * @param {number} turns
 */
export async function roundTrips(urls, turns) {
  const times = urls.map(() => /** @type {number[][]} */ ([]))
  for (const url of urls) for (let i = 0; i < WARM_TRIPS; i++) await trip(url)
  for (let turn = 0; turn < turns; turn++)
    for (const [server, url] of urls.entries()) {
      const taken = []
      for (let i = 0; i < TRIPS; i++) taken.push(await trip(url))
      times[server]?.push(taken)
    }
  return times.map((taken) => ({ value: median(taken.flat()), worst: Math.max(...taken.map(median)) }))
}

/** @param {string} url */
async function trip(url) {
  const began = performance.now()
  const { task } = await call(url, 'SendMessage', said('echo x'))
  const took = performance.now() - began
  if (task.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`the task is ${task.status.state}`)
  return took
}

/** How late the last event of 200 tasks comes that end at the same time: the 99th percentile. @param {string} url */
async function streams(url) {
  const late = []
  await Promise.all(
    Array.from({ length: STREAMS }, () =>
      readStream(url, 'slow 700', (event) => {
        const { state, timestamp } = event.statusUpdate?.status ?? {}
        if (state === 'TASK_STATE_COMPLETED') late.push(Date.now() - Date.parse(timestamp))
      }),
    ),
  )
  if (late.length !== STREAMS) throw new Error(`${late.length} of ${STREAMS} streams ended well`)
  return late.sort((a, b) => a - b)[Math.ceil(STREAMS * 0.99) - 1] ?? Number.NaN
}

/** @param {string} url @param {string} text @param {(event: any) => void} [seen] */
async function readStream(url, text, seen = () => undefined) {
  const events = []
  for await (const { data } of eventsOf(await open(url, 'SendStreamingMessage', said(text)))) {
    seen(data.result)
    events.push(data.result)
  }
  return events
}

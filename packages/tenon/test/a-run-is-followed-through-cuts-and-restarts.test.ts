import { isJsonObject, type Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { readEvents } from './kit/read-events.js'
import { urlOfServer } from './kit/url-of-server.js'
import { type Place, place, type Running } from './tenon-process.js'

const CUTS = 100
const RESTARTS = 10
const TURNS = 90

/** Looks around ninety times, at about the pace of a small model. A turn that was cut short is said again. */
const LOOKING = `rehearsal: looking
pace: 100
scenes:
  - name: done
    when: { turns: ${TURNS} }
    say: { text: I have seen it. }
  - name: again
    when: { results: [{ error: false }] }
    say: { text: Once more I look around., calls: [{ tool: list_files, args: { path: . } }] }
  - name: begin
    say: { text: I look around., calls: [{ tool: list_files, args: { path: . } }] }
`

async function serve(here: Place, rehearsal: string): Promise<{ readonly server: Running; readonly url: string }> {
  const server = here.start(['serve', '--port', '0', '--rehearsal', rehearsal])
  return { server, url: await urlOfServer(server) }
}

const seqOf = (event: Json): number => (isJsonObject(event) ? Number(event.seq) : Number.NaN)

test('a hundred cuts and ten killed servers: each event once and in order, and then the end', {
  timeout: 180_000,
}, async () => {
  const here = place()
  const rehearsal = here.write('looking.yaml', LOOKING)
  let { server, url } = await serve(here, rehearsal)
  const submitted = await fetch(`${url}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ goal: 'Look.', limits: { steps: 200 } }),
  })
  const { runId } = (await submitted.json()) as { runId: string }

  const seen: Json[] = []
  let cuts = 0
  let end: Json | undefined
  for (let restarts = 0; end === undefined; ) {
    const cut = new AbortController()
    // By the address and by the header, as clients of both kinds do.
    const after =
      cuts % 2 === 0
        ? { query: `?after=${seen.length}`, header: {} }
        : { query: '', header: { 'last-event-id': `${seen.length}` } }
    const response = await fetch(`${url}/runs/${runId}/events/stream${after.query}`, {
      headers: after.header,
      signal: cut.signal,
    })
    let room = cuts < CUTS ? 1 + (cuts % 7) : Number.POSITIVE_INFINITY
    for await (const { name, id, data } of readEvents(response)) {
      if (name === 'end') end = data
      if (name !== 'message') continue
      seen.push(data)
      expect([id, seqOf(data)]).toEqual([seen.length, seen.length])
      if (--room === 0) break
    }
    cut.abort()
    if (end !== undefined) break
    cuts++
    if (cuts % (CUTS / RESTARTS) !== 0 || restarts === RESTARTS) continue
    restarts++
    server.child.kill('SIGKILL')
    await server.ended
    ;({ server, url } = await serve(here, rehearsal))
  }

  expect(cuts).toBeGreaterThanOrEqual(CUTS)
  expect(end).toEqual({ state: 'completed', seq: seen.length })
  const page = await fetch(`${url}/runs/${runId}/events?limit=1000`)
  expect(await page.json()).toEqual({ runId, events: seen })
})

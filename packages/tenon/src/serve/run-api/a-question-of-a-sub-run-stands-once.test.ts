import { expect, test } from 'vitest'
import { servedRuns } from '../../../test/kit/served-runs.js'

const CONFIG = `
agent: boss
agents:
  boss: { tools: [run_agent] }
  writer: { description: Writes files., tools: [write_file] }
policy: { rules: [{ allow: run_agent }] }
`
const REHEARSAL = `rehearsal: a boss and a writer
scenes:
  - { name: delegate, when: { turns: 0, tools: [run_agent] }, say: { calls: [{ tool: run_agent, args: { agent: writer, goal: write it } }] } }
  - { name: report, when: { turns: 1, tools: [run_agent] }, say: { text: The writer has done it. } }
  - { name: write, when: { turns: 0, tools: [write_file] }, say: { calls: [{ tool: write_file, args: { path: out.md, content: hello } }] } }
  - { name: written, when: { turns: 1, tools: [write_file] }, say: { text: Written. } }
`

const server = () => servedRuns({ rehearsal: REHEARSAL, config: CONFIG })

test('what a sub-run asks stands in the inbox once, on its parent, with the call that it is about', async () => {
  const { ask, run, host } = await server()
  const parent = await run('go')
  expect((await ask(`DELETE /runs/${parent}`)).at('/error/code')).toBe('run-kept')
  const inbox = await ask('GET /inbox')
  expect(inbox.at('/requests')).toMatchObject([
    {
      runId: parent,
      agent: 'boss',
      via: { runId: expect.stringMatching(/^run_/) },
      call: { tool: 'write_file', args: { path: 'out.md', content: 'hello' }, definitionChanged: false },
    },
  ])
  const body = { answer: { kind: 'approve' } }
  expect((await ask(`POST /inbox/${inbox.at('/requests/0/id')}`, { body })).status).toBe(200)
  expect((await ask(`GET /runs/${parent}/events/stream`)).text).toContain('event: end\ndata: {"state":"completed"')
  expect((await ask('GET /inbox')).body).toEqual({ requests: [] })
  const runs = await ask(`GET /runs?parent=${parent}`)
  expect(runs.at('/runs')).toMatchObject([{ agent: 'writer', parent, state: 'completed', depth: 1 }])
  expect((await ask(`DELETE /runs/${runs.at('/runs/0/runId')}`)).at('/error/code')).toBe('run-kept')
  expect(host.store.runs.get(String(runs.at('/runs/0/runId')) as never)?.principal).toBe('client::')
  expect((await ask(`DELETE /runs/${parent}`)).body).toEqual({ runId: parent, runs: 2, artifacts: 0 })
})

test('answered at the sub-run itself, the question is gone from the parent as well', async () => {
  const { ask, run } = await server()
  const parent = await run('go')
  const child = (await ask('GET /inbox')).at('/requests/0/via/runId')
  const own = await ask(`GET /runs/${child}`)
  expect(own.at('/requests/0')).toMatchObject({ runId: child, call: { tool: 'write_file' } })
  const id = own.at('/requests/0/id')
  expect((await ask(`POST /inbox/${id}`, { body: { answer: { kind: 'deny' } } })).status).toBe(200)
  const stream = await ask(`GET /runs/${parent}/events/stream`)
  expect(stream.text).toContain('event: end')
  expect(stream.text).toContain('"how":"withdrawn"')
})

test('a sub-run is forked into a run of its own', async () => {
  const { ask, run, host } = await server()
  await run('go')
  const child = (await ask('GET /inbox')).at('/requests/0/via/runId')
  const fork = String((await ask(`POST /runs/${child}/fork`, { body: { seq: 1 } })).at('/runId'))
  await host.engine.drive(fork as never)
  const inbox = await ask('GET /inbox')
  expect(inbox.at('/requests')).toMatchObject([{ agent: 'boss' }, { runId: fork, agent: 'writer' }])
  const shown = await ask(`GET /runs/${fork}`)
  expect(shown.body).toMatchObject({ depth: 0, state: 'input-required' })
  expect(shown.at('/parent')).toBeUndefined()
})

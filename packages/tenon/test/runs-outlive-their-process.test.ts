import { expect, test } from 'vitest'
import { eventsOf, place, WRITING } from './tenon-process.js'

/** Talks for longer than any test waits, then writes. */
const SLOW = WRITING.replace(
  'say: { text: It is written. }',
  'say: { text: It is written and told at length. }\n    pace: 1',
)

test('a run that was killed goes on where it was, with nothing lost and nothing twice', async () => {
  const here = place()
  here.write('r.yaml', SLOW)
  const run = here.start(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  await run.printed('result: write_file')
  run.child.kill('SIGKILL')
  await run.ended
  here.write('r.yaml', WRITING)
  const resumed = await here.tenon(['runs', 'resume', 'last', '--yes'])
  expect(resumed).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  const events = eventsOf((await here.tenon(['runs', 'export', 'last'])).stdout)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.filter(({ kind, callId }) => kind === 'call-begun' && callId === 't2.1')).toHaveLength(1)
})

test('a run is taken up from another folder with the workspace that it began in', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  expect((await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])).code).toBe(3)
  const elsewhere = place()
  const answered = await elsewhere.tenon(['runs', 'answer', 'last', '--yes', '--store', here.store])
  expect(answered).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  expect((await here.tenon(['runs', 'export', 'last'])).stdout).toContain('out.md')
})

test('whoever follows from another process sees each event once, and the result', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  const follower = here.start(['runs', 'follow', 'last', '--json'])
  await follower.printed('input-requested')
  expect((await here.tenon(['runs', 'answer', 'last', '--yes'])).code).toBe(0)
  const followed = await follower.ended
  const events = eventsOf(followed.stdout)
  expect(followed.code).toBe(0)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended' })
  const late = await here.tenon(['runs', 'follow', 'last', '--json', '--after', String(events.length - 2)])
  expect(eventsOf(late.stdout).map(({ seq }) => seq)).toEqual([events.length - 1, events.length])
})

test('an answer may be left for whoever drives the run', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  expect((await here.tenon(['runs', 'answer', 'last', '--yes', '--leave'])).code).toBe(0)
  expect(await here.tenon(['runs', 'resume', 'last'])).toMatchObject({ code: 0, stdout: 'It is written.\n' })
})

test('a parked run is canceled without its model, and stays canceled', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  here.write('r.yaml', '')
  expect((await here.tenon(['runs', 'cancel', 'last', '--reason', 'not needed'])).code).toBe(0)
  const shown = await here.tenon(['runs', 'show', 'last'])
  expect(shown.stdout).toContain('canceled')
  expect((await here.tenon(['runs', 'answer', 'last', '--yes'])).code).toBe(2)
})

test('a process that was asked to stay goes on with an answer that came from elsewhere', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const staying = here.start(['run', 'write it', '--rehearsal', 'r.yaml', '--stay'])
  await staying.printed('asks: write_file')
  expect((await here.tenon(['runs', 'answer', 'last', '--yes', '--leave'])).code).toBe(0)
  expect(await staying.ended).toMatchObject({ code: 0, stdout: 'It is written.\n' })
})

test('the planner that was chosen stays with the run, whoever goes on with it', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--planner', 'react'])
  const [submitted] = eventsOf((await here.tenon(['runs', 'export', 'last'])).stdout)
  expect(submitted).toMatchObject({ planner: { name: 'react' }, metadata: { planner: 'react' } })
  expect(await here.tenon(['runs', 'answer', 'last', '--yes'])).toMatchObject({ code: 0, stdout: 'It is written.\n' })
})

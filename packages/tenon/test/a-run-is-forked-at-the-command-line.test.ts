import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, place, WRITING } from './tenon-process.js'

test('a fork goes on from an event: what was done before is not done again, what comes after is asked anew', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  rmSync(join(here.folder, 'out.md'))
  const events = eventsOf((await here.tenon(['runs', 'export', 'last'])).stdout)
  const asked = events.find(({ kind }) => kind === 'input-requested')?.seq
  const parked = await here.tenon(['runs', 'fork', 'last', String(asked)])
  expect(parked.code).toBe(3)
  expect(parked.stderr).toContain(`forked from ${events[0]?.runId} (after event ${asked})`)
  const done = await here.tenon(['runs', 'fork', String(events[0]?.runId), String(asked), '--yes'])
  expect(done).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  expect(readFileSync(join(here.folder, 'out.md'), 'utf8')).toBe('hello')
  const listed = (await here.tenon(['runs', 'export', 'last'])).stdout
  expect(eventsOf(listed).filter(({ kind }) => kind === 'call-begun')).toHaveLength(2)
})

test('a place that the run does not have is told with those it has', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--deny'])
  for (const seq of ['0', '99']) {
    const wrong = await here.tenon(['runs', 'fork', 'last', seq])
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toMatch(/It can be forked from 1 to \d+\. \[fork-invalid\]/)
  }
})

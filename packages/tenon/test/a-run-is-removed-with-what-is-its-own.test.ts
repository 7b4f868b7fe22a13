import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

test('a run that has ended is removed; one that waits is named, with the way to end it', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  const kept = await here.tenon(['runs', 'remove', 'last'])
  expect(kept).toMatchObject({ code: 2, stdout: '' })
  expect(kept.stderr).toMatch(/run_\w+ has not ended\. Cancel it first\. \[run-kept\]/)
  await here.tenon(['runs', 'cancel', 'last'])
  const removed = await here.tenon(['runs', 'remove', 'last'])
  expect(removed.code).toBe(0)
  expect(removed.stderr).toMatch(/^run_\w+ is removed\.$/m)
  expect((await here.tenon(['runs', 'list'])).stderr).toContain('No runs.')
})

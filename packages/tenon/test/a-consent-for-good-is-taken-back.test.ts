import { expect, test } from 'vitest'
import { terminal } from './kit/terminal.js'
import { place, WRITING } from './tenon-process.js'

const grants = async (here: ReturnType<typeof place>) => {
  const { stdout } = await here.tenon(['grants', 'list', '--json'])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { grantId: string; tool: string })
}

test('what was allowed for good is listed, runs without asking, and asks again once it is taken back', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const run = ['run', 'write it', '--rehearsal', 'r.yaml']
  expect((await here.tenon(['grants'])).stderr).toContain('Nothing is allowed beyond its run.')
  const person = terminal(here, run)
  await person.shows('Allow it?')
  person.type('a\r')
  await person.shows('For how long?')
  person.type('a\r')
  await person.shows('Only when')
  person.type('\r')
  expect((await person.ended).code).toBe(0)

  const [grant, ...others] = await grants(here)
  expect(others).toEqual([])
  expect(grant?.tool).toBe('write_file')
  expect((await here.tenon(run)).code).toBe(0)

  const unknown = await here.tenon(['grants', 'revoke', grant?.grantId ?? '', 'run_nobody'])
  expect([unknown.code, await grants(here)]).toEqual([2, [grant]])
  expect(unknown.stderr).toContain('run_nobody')
  expect((await here.tenon(['grants', 'revoke', grant?.grantId ?? ''])).code).toBe(0)
  expect(await grants(here)).toEqual([])
  expect((await here.tenon(run)).code).toBe(3)
  expect((await here.tenon(['grants', 'revoke'])).code).toBe(2)
})

import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const TALKING = `rehearsal: talking
scenes:
  - name: look
    when: { turns: 0 }
    say: { text: First a look., calls: [{ tool: list_files, args: { path: . } }] }
  - name: talk
    when: { turns: 1 }
    pace: 1
    say: { text: This is said so slowly that nobody hears the end of it before they lose their patience with me. }
`

test.skipIf(process.platform === 'win32')('the first Ctrl-C cancels the run, and the exit code says so', async () => {
  const here = place()
  here.write('r.yaml', TALKING)
  const run = here.start(['run', 'talk', '--rehearsal', 'r.yaml'])
  await run.printed('result: list_files')
  run.child.kill('SIGINT')
  const ended = await run.ended
  expect(ended).toMatchObject({ code: 130, stdout: '' })
  expect(ended.stderr).toContain('Ctrl-C again leaves the run to itself')
  const { stdout } = await here.tenon(['runs', 'list', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ state: 'canceled' })
})

test.skipIf(process.platform === 'win32')('the second Ctrl-C leaves at once and tells how to follow', async () => {
  const here = place()
  here.write('r.yaml', TALKING)
  const driving = here.start(['run', 'talk', '--rehearsal', 'r.yaml'])
  await driving.printed('result: list_files')
  // Whoever drives the run does not answer, so the cancel stays unheard.
  driving.child.kill('SIGSTOP')
  const waiting = here.start(['runs', 'resume', 'last'])
  await waiting.printed('Going on with')
  waiting.child.kill('SIGINT')
  await waiting.printed('Ctrl-C again leaves')
  waiting.child.kill('SIGINT')
  const left = await waiting.ended
  expect(left.code).toBe(130)
  expect(left.stderr).toMatch(/Left\. See what became of it with: tenon runs follow run_/)
  driving.child.kill('SIGCONT')
  expect((await driving.ended).code).toBe(130)
})

test.skipIf(process.platform === 'win32')(
  'being told to go leaves the run as it is, and it can be resumed',
  async () => {
    const here = place()
    here.write('r.yaml', TALKING)
    const run = here.start(['run', 'talk', '--rehearsal', 'r.yaml'])
    await run.printed('result: list_files')
    run.child.kill('SIGTERM')
    expect((await run.ended).code).toBe(143)
    here.write('r.yaml', TALKING.replace('pace: 1', 'pace: 10000'))
    expect(await here.tenon(['runs', 'resume', 'last'])).toMatchObject({ code: 0 })
  },
)

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { COMMAND, eventsOf, place, WRITING } from './tenon-process.js'

test('standard output is the result and nothing else; what happened is labelled on standard error', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const run = await here.tenon(['run', 'write', 'it', '--rehearsal', 'r.yaml', '--yes'])
  expect(run).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  expect(run.stderr).toContain('no language model is at work')
  expect(run.stderr).toContain('assistant: I will look first.')
  expect(run.stderr).toMatch(/call: list_files path="\." \(allowed\)/)
  expect(run.stderr).toMatch(/asks: write_file path="out\.md" content="hello" \(t2\.1\/q1/)
  expect(run.stderr).toMatch(/result: write_file {2}.*\(finished, \d+ ms\)/)
  expect(run.stderr).not.toContain('\u001b')
  expect(readFileSync(join(here.folder, 'out.md'), 'utf8')).toBe('hello')
})

test('--json gives every event, one a line, in order and without a gap, and nothing else', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes', '--json'])
  const events = eventsOf(run.stdout)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events[0]).toMatchObject({ kind: 'run-submitted', agent: 'assistant' })
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed' })
  const exported = await here.tenon(['runs', 'export', 'last'])
  expect(exported.stdout).toBe(run.stdout)
})

test('without a person a run that asks is parked with exit code 3 and says how to answer', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  expect(run).toMatchObject({ code: 3, stdout: '' })
  const [, command] = /(runs answer run_\S+ t2\.1\/q1 --yes)/.exec(run.stderr) ?? []
  expect(command).toBeDefined()
  expect(existsSync(join(here.folder, 'out.md'))).toBe(false)
  const answered = await here.tenon(String(command).split(' '))
  expect(answered).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  expect(readFileSync(join(here.folder, 'out.md'), 'utf8')).toBe('hello')
})

test('a reader of --json that has seen enough leaves the run, which can be resumed', async () => {
  const here = place()
  here.write('r.yaml', `${WRITING}pace: 50\n`)
  const run = here.start(['run', 'write it', '--rehearsal', 'r.yaml', '--yes', '--json'])
  await run.printed('run-submitted')
  run.child.stdout?.destroy()
  const left = await run.ended
  expect(left.code).toBe(141)
  expect(left.stderr).toMatch(/Left\. .*tenon runs resume run_/)
  expect(await here.tenon(['runs', 'resume', 'last', '--yes'])).toMatchObject({ code: 0, stdout: 'It is written.\n' })
})

test('a run goes on to its result when nobody reads standard error any more', async () => {
  const here = place()
  here.write('r.yaml', `${WRITING}pace: 50\n`)
  const run = here.start(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  await run.printed('run: run_')
  run.child.stderr?.destroy()
  expect(await run.ended).toMatchObject({ code: 0, stdout: 'It is written.\n' })
})

test.runIf(process.platform === 'linux')('a full disk behind standard output is an error of one line', async () => {
  const here = place()
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const help = spawnSync(process.execPath, [COMMAND, '--help'], {
    cwd: here.folder,
    env: here.environment,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  expect(help).toMatchObject({
    status: 1,
    stderr: 'error: Standard output cannot be written: ENOSPC. [output-unwritable]\n',
  })
})

test('--deny refuses what asks, and the model goes on with that', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--deny'])
  expect(run).toMatchObject({ code: 0, stdout: 'I was not allowed to.\n' })
  expect(existsSync(join(here.folder, 'out.md'))).toBe(false)
})

test('a goal may come from standard input', async () => {
  const here = place()
  here.write(
    'r.yaml',
    'rehearsal: echo\nscenes: [{ name: a, when: { goal: { contains: [from the pipe] } }, say: { text: heard } }]\n',
  )
  const run = await here.tenon(['run', '-', '--rehearsal', 'r.yaml'], { stdin: 'something from the pipe\n' })
  expect(run).toMatchObject({ code: 0, stdout: 'heard\n' })
})

test('a run that fails has exit code 1 and names why', async () => {
  const here = place()
  here.write(
    'r.yaml',
    'rehearsal: short\nscenes: [{ name: a, when: { goal: { contains: [never said] } }, say: { text: x } }]\n',
  )
  const run = await here.tenon(['run', 'something else', '--rehearsal', 'r.yaml'])
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).toContain('departed from the rehearsal')
})

test.each([
  ['--steps', '1'],
  ['--tokens', '10'],
  ['--wall', '1ms'],
])('a limit on the command line ends the run by name: %s %s', async (limit, value) => {
  const here = place()
  here.write('r.yaml', `${WRITING}pace: 500\n`)
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes', limit, value])
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('limit-reached')
})

test('a run that fails after what it wanted was denied has exit code 4', async () => {
  const here = place()
  here.write(
    'r.yaml',
    WRITING.replace('name: refused', 'name: never').replace('error: true', 'error: true, tool: other'),
  )
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--deny'])
  expect(run).toMatchObject({ code: 4, stdout: '' })
})

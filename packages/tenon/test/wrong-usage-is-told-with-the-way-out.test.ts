import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

test.each([
  [['rnu', 'x'], 'Did you mean run?'],
  [['run'], "missing required argument 'goal'"],
  [['run', '  '], 'The goal is empty.'],
  [['run', 'x', '--yes', '--deny'], 'cannot be used with'],
  [['run', 'x', '--steps', 'many'], 'It must be a whole number.'],
  [['run', 'x', '--agent', 'nobody'], 'There is no agent "nobody"'],
  [['run', 'x', '--wall', 'soon'], 'It must be a time such as 30s, 5m or 2h.'],
  [['run', 'x', '--planner', 'dream'], 'Allowed choices are react.'],
  [['run', 'x', '--model', 'nonsense'], 'write PROVIDER/MODEL'],
  [['run', 'x', '--workspace', 'not-there'], 'does not exist'],
  [['run', 'x', '--config', 'not-there.yaml'], 'does not exist'],
  [['run', 'x', '--store', ''], '--store names no folder.'],
  [['runs', 'show', 'last'], 'There is no run in this store yet.'],
  [['runs', 'show', 'run_abc'], 'No run begins with "run_abc"'],
  [['runs', 'list', '--state', 'done'], 'There is no state "done".'],
  [['runs', 'answer', 't1.1/q1', '--yes'], 'No run waits on a request t1.1/q1.'],
  [['skills', 'show', 'not-there'], '[skill-unknown]'],
  [['skills', 'add', 'not-there'], '[skill-source-unreadable]'],
])('tenon %j ends with exit code 2', async (args, message) => {
  const ended = await place().tenon(args)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(message)
})

test('a mistake in the configuration is told with file, line, key and fix before anything runs', async () => {
  const here = place()
  here.write('tenon.yaml', 'agents:\n  assistant:\n    modle: openai/gpt-5\n')
  const ended = await here.tenon(['run', 'x'])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('tenon.yaml:3:5 agents.assistant.modle: unknown key. Did you mean "model"?')
})

test('without a model the ways to get one are listed', async () => {
  const ended = await place().tenon(['run', 'x'])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('OPENAI_API_KEY')
  expect(ended.stderr).toContain('[no-model]')
})

test('a half-written rehearsal is told with its place', async () => {
  const here = place()
  here.write('r.yaml', WRITING.slice(0, 90))
  const ended = await here.tenon(['run', 'x', '--rehearsal', 'r.yaml'])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/r\.yaml:\d+:\d+/)
})

test('a store that cannot be used is named, and nothing runs', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const file = here.write('a-file', 'x')
  const ended = await here.tenon(['run', 'x', '--rehearsal', 'r.yaml', '--store', join(file, 'below')])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/\[store-[a-z-]+\]/)
  mkdirSync(join(here.folder, 'other'))
  const foreign = here.write('other/tenon.db', 'this is no database, but it is somebody’s file')
  const refused = await here.tenon(['runs', 'list', '--store', 'other'])
  expect(refused.code).toBe(1)
  expect(readFileSync(foreign, 'utf8')).toContain('somebody’s file')
})

test('several runs that begin alike are listed', async () => {
  const here = place()
  here.write('r.yaml', 'rehearsal: a\nscenes: [{ name: a, say: { text: x } }]\n')
  await here.tenon(['run', 'one', '--rehearsal', 'r.yaml'])
  await here.tenon(['run', 'two', '--rehearsal', 'r.yaml'])
  const ended = await here.tenon(['runs', 'show', 'run_'])
  expect(ended.code).toBe(2)
  expect(ended.stderr.match(/^ {2}run_/gm)).toHaveLength(2)
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { terminal } from './kit/terminal.js'
import { place, WRITING } from './tenon-process.js'

const count = (screen: string, text: string): number => screen.split(text).length - 1

test('text streams once, the question shows the whole call, and y lets it run', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const person = terminal(here, ['run', 'write it', '--rehearsal', 'r.yaml'])
  await person.shows('path: out.md')
  await person.shows('content: hello')
  await person.shows('Allow it?')
  expect(existsSync(join(here.folder, 'out.md'))).toBe(false)
  person.type('y\r')
  const { code, screen } = await person.ended
  expect(code).toBe(0)
  expect(existsSync(join(here.folder, 'out.md'))).toBe(true)
  expect([count(screen, 'I will look first.'), count(screen, 'It is written.')]).toEqual([1, 1])
  // Append-only: nothing moves the cursor up, clears the screen or leaves it.
  expect(screen).not.toMatch(/\u001b\[(?:\d*[AFH]|[1-3]J|\?1049)/)
})

test('later leaves the question open and the run parked', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const person = terminal(here, ['run', 'write it', '--rehearsal', 'r.yaml'])
  await person.shows('Allow it?')
  person.type('l\r')
  const { code, screen } = await person.ended
  expect(code).toBe(3)
  expect(screen).toContain('t2.1/q1 --yes')
})

test.each([[['--leave']], [[]]])('an answer from elsewhere takes the question back (%j)', async (more) => {
  const here = place()
  here.write('r.yaml', WRITING)
  const person = terminal(here, ['run', 'write it', '--rehearsal', 'r.yaml'])
  await person.shows('Allow it?')
  expect((await here.tenon(['runs', 'answer', 'last', '--yes', ...more])).code).toBe(0)
  const { code, screen } = await person.ended
  expect([code, count(screen, 'It is written.')]).toEqual([0, 1])
})

test('Ctrl-C at the question cancels the run', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const person = terminal(here, ['run', 'write it', '--rehearsal', 'r.yaml'])
  await person.shows('Allow it?')
  person.type('\u0003')
  expect((await person.ended).code).toBe(130)
  expect(JSON.parse((await here.tenon(['runs', 'list', '--json'])).stdout)).toMatchObject({ state: 'canceled' })
})

test('a word typed while a run works reaches it', async () => {
  const here = place()
  here.write(
    'r.yaml',
    `rehearsal: talk
scenes:
  - { name: turned, when: { user: { contains: [the other way] } }, say: { text: I turn around. } }
  - { name: look, when: { turns: 0 }, say: { text: On my way with very many words to say so., calls: [{ tool: list_files, args: { path: . } }] }, pace: 4 }
`,
  )
  const person = terminal(here, ['chat', '--rehearsal', 'r.yaml'])
  await person.shows('> ')
  person.type('go\r')
  await person.shows('On my')
  person.type('the other way\r')
  await person.shows('I turn around.')
  await person.shows('> ')
  person.type('/quit\r')
  expect((await person.ended).code).toBe(0)
})

const TWICE = WRITING.replace(
  'calls: [{ tool: write_file, args: { path: out.md, content: hello } }]',
  'calls: [{ tool: write_file, args: { path: out.md, content: hello } }, { tool: write_file, args: { path: two.md, content: hello } }]',
)

test('of two questions one may be left: the other runs, and only the left one is asked again', async () => {
  const here = place()
  here.write('r.yaml', TWICE.replace('results: [{ error: false }]', 'results: [{ error: false }, { error: false }]'))
  const person = terminal(here, ['run', 'write both', '--rehearsal', 'r.yaml'])
  await person.shows('path: out.md')
  await person.shows('Allow it?')
  person.type('l\r')
  await person.shows('path: two.md')
  await person.shows('Allow it?')
  person.type('y\r')
  expect((await person.ended).code).toBe(3)
  expect([existsSync(join(here.folder, 'out.md')), existsSync(join(here.folder, 'two.md'))]).toEqual([false, true])
  const again = terminal(here, ['runs', 'resume'])
  await again.shows('path: out.md')
  await again.shows('Allow it?')
  again.type('y\r')
  const { code, screen } = await again.ended
  expect([code, count(screen, 'Allow it?')]).toEqual([0, 1])
})

test('what was answered on the command line is not asked again', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml'])
  const { code, screen } = await terminal(here, ['runs', 'answer', 'last', '--yes']).ended
  expect([code, count(screen, 'Allow it?')]).toEqual([0, 0])
})

test('arguments that a person changed are checked like a model’s, and asked for again', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const person = terminal(here, ['run', 'write it', '--rehearsal', 'r.yaml'])
  await person.shows('Allow it?')
  person.type('e\r')
  await person.shows('New arguments as JSON')
  person.type('{"pathh": "mine.md"}\r')
  await person.shows('pathh')
  await person.shows('Allow it?')
  person.type('e\r')
  await person.shows('New arguments as JSON')
  person.type('{"path": "mine.md", "content": "mine"}\r')
  expect((await person.ended).code).toBe(0)
  expect([existsSync(join(here.folder, 'out.md')), existsSync(join(here.folder, 'mine.md'))]).toEqual([false, true])
})

import { expect, test } from 'vitest'
import { chatServer } from './kit/chat-server.js'
import { type Place, place } from './tenon-process.js'

const REHEARSAL = `rehearsal: asks
scenes:
  - { name: ask, when: { turns: 0 }, say: { calls: [{ tool: ask_user, args: { question: Which? } }] } }
  - { name: done, when: { turns: 1 }, say: { text: So rehearsed. } }
`

/** A folder whose configuration names a model that answers. */
async function prepared(): Promise<Place> {
  const here = place()
  const baseUrl = await chatServer('So thought.')
  here.write(
    'tenon.yaml',
    `models: { house: { provider: openai-compatible, model: large, baseUrl: "${baseUrl}", prompted: json } }
agents: { writer: { model: house } }
`,
  )
  here.write('r.yaml', REHEARSAL)
  return here
}

const PLAYS = 'note: A written rehearsal is playing'

// The rehearsal was taken, played nowhere, and the model was paid for.
test('a rehearsal plays in place of the model that the configuration names, then and when the run goes on', async () => {
  const here = await prepared()
  const run = await here.tenon(['run', 'x', '--rehearsal', 'r.yaml'])
  expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining(PLAYS) })
  const answered = await here.tenon(['runs', 'answer', 'last', '--text', 'that one'])
  expect(answered).toMatchObject({ code: 0, stdout: 'So rehearsed.\n' })
  const doctor = await here.tenon(['doctor', '--rehearsal', 'r.yaml'])
  expect(doctor.stdout).toContain('chosen: --rehearsal, in place of agents.writer.model, names the rehearsal')
})

test('a model that is named beside a rehearsal answers, and the rehearsal is told not to play', async () => {
  const here = await prepared()
  const run = await here.tenon(['run', 'x', '--rehearsal', 'r.yaml', '--model', 'house'])
  expect(run).toMatchObject({ code: 0, stdout: 'So thought.\n' })
  expect(run.stderr).toContain('note: The rehearsal r.yaml does not play: --model house names openai-compatible/large.')
  expect(run.stderr).not.toContain(PLAYS)
})

test('a model that is named when a run goes on takes the place of its rehearsal', async () => {
  const here = await prepared()
  await here.tenon(['run', 'x', '--rehearsal', 'r.yaml'])
  await here.tenon(['runs', 'answer', 'last', '--text', 'that one', '--leave'])
  const thought = await here.tenon(['runs', 'resume', 'last', '--model', 'house'])
  expect(thought).toMatchObject({ code: 0, stdout: 'So thought.\n' })
  expect(thought.stderr).not.toContain('does not play')
})

test('a rehearsal that a server is given says so before anybody calls', async () => {
  const here = await prepared()
  const server = here.start(['serve', '--port', '0', '--rehearsal', 'r.yaml'])
  await server.printed(PLAYS)
  server.child.kill('SIGTERM')
  await server.ended
  const over = here.start(['mcp', 'serve', '--rehearsal', 'r.yaml'])
  await over.printed(PLAYS)
  over.child.stdin?.end()
  expect((await over.ended).code).toBe(0)
})

import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const TALK = `rehearsal: talk
scenes:
  - name: again
    when: { system: { contains: [Earlier in this conversation, my name is Ada, "You: Hello Ada."] } }
    say: { text: You are Ada. }
  - name: first
    when: { goal: { contains: [my name is Ada] } }
    say: { text: Hello Ada. }
`

test('each line is a run that knows the earlier ones', async () => {
  const here = place()
  here.write('r.yaml', TALK)
  const talk = await here.tenon(['chat', '--rehearsal', 'r.yaml'], {
    stdin: 'my name is Ada\nwho am I?\n/runs\n/quit\n',
  })
  expect(talk).toMatchObject({ code: 0, stdout: 'Hello Ada.\nYou are Ada.\n' })
  expect(talk.stderr.match(/^run_\S+ +completed/gm)).toHaveLength(2)
  const more = await here.tenon(['chat', '--continue', '--rehearsal', 'r.yaml'], { stdin: 'and now?\n' })
  expect(more).toMatchObject({ code: 0, stdout: 'You are Ada.\n' })
})

test('a command that does not exist is no goal, and /new forgets', async () => {
  const here = place()
  here.write('r.yaml', TALK)
  const talk = await here.tenon(['chat', '--rehearsal', 'r.yaml'], {
    stdin: 'my name is Ada\n/nonsense\n/new\nwho am I?\n',
  })
  expect(talk.stdout).toBe('Hello Ada.\n')
  expect(talk.stderr).toContain('There is no /nonsense')
  expect(talk.stderr).toContain('departed from the rehearsal')
})

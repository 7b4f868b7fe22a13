import { expect, test } from 'vitest'
import { type Place, place, type Running } from './tenon-process.js'

/** One house of the chain: an agent that plays its scenes, over a store of its own. */
function house(tenonYaml: string, scenes: string): Place {
  const here = place()
  here.write('tenon.yaml', tenonYaml)
  here.write('r.yaml', `rehearsal: one of three\nscenes:\n${scenes}`)
  return here
}

const MODELS = 'models: { played: { provider: rehearsal, file: r.yaml } }'

const LAST = `agents:
  painter: { description: Paints., model: played, tools: [ask_user, deliver_artifact], public: {} }
${MODELS}
policy: { otherwise: allow }
`

const LAST_SCENES = `  - name: ask
    when: { turns: 0 }
    say: { calls: [{ tool: ask_user, args: { question: Which colour? } }] }
  - name: paint
    when: { results: [{ tool: ask_user, matches: '(?<colour>red)' }] }
    say: { calls: [{ tool: deliver_artifact, args: { name: picture.txt, text: "a wall in {{colour}}" } }] }
  - name: done
    when: { turns: 2 }
    say: { text: Painted. }
`

const delegating = (url: string, more: string) => `agents:
  boss: { description: Has it done., model: played, tools: [delegate]${more} }
${MODELS}
peers: { next: { url: "${url}" } }
policy: { rules: [{ allow: delegate }] }
`

const DELEGATING_SCENES = `  - name: give
    when: { turns: 0 }
    say: { calls: [{ tool: delegate, args: { peer: next, brief: Paint the wall. } }] }
  - name: report
    when: { results: [{ tool: delegate, matches: '(?<what>a wall in \\w+)' }] }
    say: { text: "It came back: {{what}}" }
`

type Served = { readonly running: Running; readonly url: string }

async function serve(here: Place, port = '0'): Promise<Served> {
  const running = here.start(['serve', '--port', port])
  let out = ''
  running.child.stdout?.on('data', (text: string) => {
    out += text
  })
  await running.printed('"url"')
  const { url } = JSON.parse(out.split('\n')[0] ?? '') as { url: string }
  return { running, url }
}

async function killed(served: Served): Promise<void> {
  served.running.child.kill('SIGKILL')
  await served.running.ended
}

test('the question of the last agent is answered by the user of the first, two restarts later, and the artifact arrives', async () => {
  const last = house(LAST, LAST_SCENES)
  let painter = await serve(last)
  const middle = house(delegating(painter.url, ', public: {}'), DELEGATING_SCENES)
  let broker = await serve(middle)
  const first = house(delegating(broker.url, ''), DELEGATING_SCENES)

  const parked = await first.tenon(['run', 'Have the wall painted.'])
  expect(parked.code).toBe(3)
  expect(parked.stderr).toContain('Which colour?')

  await killed(broker)
  await killed(painter)
  painter = await serve(last, new URL(painter.url).port)
  broker = await serve(middle, new URL(broker.url).port)

  const done = await first.tenon(['runs', 'answer', 'last', '--text', 'red'])
  expect(done).toMatchObject({ code: 0 })
  expect(done.stdout).toContain('a wall in red')
})

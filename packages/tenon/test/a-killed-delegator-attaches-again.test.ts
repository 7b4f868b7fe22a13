import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const PEER = `agents:
  painter: { description: Paints., model: played, tools: [ask_user], public: {} }
models: { played: { provider: rehearsal, file: r.yaml } }
policy: { otherwise: allow }
`

const SCENES = `rehearsal: a painter that takes its time
scenes:
  - { name: slowly, pace: 2, when: { turns: 0 }, say: { text: "It takes a while until the wall is red all over." } }
`

const boss = (url: string) => `agents:
  boss: { description: Has it done., model: played, tools: [delegate] }
models: { played: { provider: rehearsal, file: r.yaml } }
peers: { painter: { url: "${url}" } }
policy: { rules: [{ allow: delegate }] }
`

const BOSS_SCENES = `rehearsal: a boss
scenes:
  - name: give
    when: { turns: 0 }
    say: { calls: [{ tool: delegate, args: { peer: painter, brief: Paint the wall. } }] }
  - name: report
    when: { results: [{ tool: delegate, matches: '(?<what>red all over)' }] }
    say: { text: "It is {{what}}." }
`

test('a process that was killed while a peer works is followed by one that attaches, and nothing is sent again', async () => {
  const painter = place()
  painter.write('tenon.yaml', PEER)
  painter.write('r.yaml', SCENES)
  const serving = painter.start(['serve', '--port', '0'])
  let out = ''
  serving.child.stdout?.on('data', (text: string) => {
    out += text
  })
  await serving.printed('"url"')
  const { url } = JSON.parse(out.split('\n')[0] ?? '') as { url: string }

  const here = place()
  here.write('tenon.yaml', boss(url))
  here.write('r.yaml', BOSS_SCENES)
  const first = here.start(['run', 'Have it painted.', '--json'])
  await first.printed('"call-handle"')
  first.child.kill('SIGKILL')
  await first.ended

  const resumed = await here.tenon(['runs', 'resume', 'last'])
  expect(resumed).toMatchObject({ code: 0, stdout: 'It is red all over.\n' })
  const tasks = await here.tenon(['a2a', 'tasks', url])
  expect(tasks.stdout.trim().split('\n')).toHaveLength(1)
})

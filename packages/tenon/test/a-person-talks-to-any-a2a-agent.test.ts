import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const CONFIG = `agents:
  painter: { description: Paints., model: played, tools: [ask_user, deliver_artifact], public: {} }
models: { played: { provider: rehearsal, file: r.yaml } }
policy: { otherwise: allow }
`

const SCENES = `rehearsal: a painter
scenes:
  - name: ask
    when: { turns: 0 }
    say: { calls: [{ tool: ask_user, args: { question: Which colour? } }] }
  - name: paint
    when: { results: [{ tool: ask_user, matches: '(?<colour>red)' }] }
    say: { calls: [{ tool: deliver_artifact, args: { name: picture.txt, text: "a wall in {{colour}}" } }] }
  - name: done
    when: { turns: 2 }
    say: { text: Painted. }
`

async function served() {
  const here = place()
  here.write('tenon.yaml', CONFIG)
  here.write('r.yaml', SCENES)
  const running = here.start(['serve', '--port', '0'])
  let out = ''
  running.child.stdout?.on('data', (text: string) => {
    out += text
  })
  await running.printed('"url"')
  const { url } = JSON.parse(out.split('\n')[0] ?? '') as { url: string }
  return { here, url }
}

const taskIn = (text: string): string => /^task (\S+)$/m.exec(text)?.[1] ?? 'none'

test('card, send, tasks, answer, watch: a task from the command line to its artifact', async () => {
  const { here, url } = await served()
  const card = await here.tenon(['a2a', 'card', url])
  expect(card).toMatchObject({ code: 0, stderr: '' })
  expect(card.stdout).toMatch(/^painter 1\.0\.0$/m)
  expect(card.stdout).toMatch(/^signature: by \S+, which its own server publishes/m)
  expect(card.stdout).toContain(`spoken to: JSONRPC 1.0 at ${url}/`)

  const sent = await here.tenon(['a2a', 'send', url, 'Paint', 'the', 'wall.'])
  expect(sent).toMatchObject({ code: 3, stdout: '' })
  expect(sent.stderr).toContain('asks: Which colour?')
  const task = taskIn(sent.stderr)
  expect((await here.tenon(['a2a', 'tasks', url])).stdout).toMatch(new RegExp(`^${task}  input-required  `))

  const answered = await here.tenon(['a2a', 'answer', url, task, 'red'])
  expect(answered.code).toBe(0)
  expect(answered.stdout).toContain('a wall in red')
  expect((await here.tenon(['a2a', 'watch', url, task])).stdout).toContain('a wall in red')
  expect(await here.tenon(['a2a', 'answer', url, task, 'blue'])).toMatchObject({
    code: 1,
    stderr: `${task} asks nothing: it is completed.\n`,
  })
})

test('cancel ends the task, and a card is held to the keys that are named', async () => {
  const { here, url } = await served()
  const sent = await here.tenon(['a2a', 'send', url, 'Paint.'])
  const task = taskIn(sent.stderr)
  expect(await here.tenon(['a2a', 'cancel', url, task])).toMatchObject({ code: 0, stderr: `${task}: canceled\n` })
  expect((await here.tenon(['a2a', 'watch', url, task])).code).toBe(130)

  const keys = await (await fetch(`${url}/.well-known/jwks.json`)).text()
  here.write('keys.json', keys)
  expect((await here.tenon(['a2a', 'card', url, '--keys', 'keys.json'])).stdout).toMatch(
    /^signature: verified by the trusted key \S+$/m,
  )
})

test('what is neither an address nor a peer is told so', async () => {
  const here = place()
  here.write('tenon.yaml', 'peers: { painter: { url: "http://127.0.0.1:9" } }\n')
  expect(await here.tenon(['a2a', 'card', 'piant'])).toMatchObject({
    code: 2,
    stderr: 'error: piant is neither an address nor a peer. There are: painter. [usage]\n',
  })
  expect((await here.tenon(['a2a', 'card', 'painter'])).stderr).toContain('[peer-card-unreachable]')
})

test('an empty message is sent to nobody', async () => {
  const here = place()
  expect(await here.tenon(['a2a', 'send', 'http://127.0.0.1:9', '-'], { stdin: ' \n' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The message is empty.'),
  })
})

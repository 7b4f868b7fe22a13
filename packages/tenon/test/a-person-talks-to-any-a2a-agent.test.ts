import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

/** A peer that gives `answer` to whatever is asked of it, by the method and what came along. */
async function peerThat(answer: (method: string, params: PeerParams) => unknown): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const card = {
      name: 'peer',
      description: 'Answers.',
      version: '1',
      skills: [],
      capabilities: {},
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    if (body === '') {
      response.end(JSON.stringify(card))
      return
    }
    const { id, method, params } = JSON.parse(body)
    const result = answer(method, params)
    // An answer that has begun and does not end.
    if (result === undefined) response.write(' ')
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type PeerParams = { readonly message?: { readonly parts: readonly { readonly mediaType?: string }[] } }

test('a file goes along as what it is, and a file that comes back is saved under a name of its own', async () => {
  const here = place()
  const kinds: (string | undefined)[] = []
  const picture = Buffer.from([0x89, 0x50, 0, 255]).toString('base64')
  const parts = [{ raw: picture, mediaType: 'image/png', filename: '../../a wall.png' }]
  const url = await peerThat((_, { message }) => {
    kinds.push(...(message?.parts ?? []).map(({ mediaType }) => mediaType))
    return {
      task: {
        id: 't',
        contextId: 'c',
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts }],
      },
    }
  })
  const files = ['notes.txt', 'notes.md', 'data.json', 'doc.pdf', 'other.bin'].map((name) =>
    here.write(name, name === 'doc.pdf' ? '%PDF-1.7 …' : name === 'other.bin' ? 'a\0b' : '{}'),
  )
  const send = ['a2a', 'send', url, 'Paint', '--out', 'made', '--file', ...files]
  const sent = await here.tenon(send)
  expect(sent).toMatchObject({ code: 0 })
  expect(kinds.slice(1)).toEqual([
    'text/plain',
    'text/markdown',
    'application/json',
    'application/pdf',
    'application/octet-stream',
  ])
  expect(readFileSync(join(here.folder, 'made/a wall.png')).toString('base64')).toBe(picture)
  expect((await here.tenon(send)).stderr).toContain('a wall-2.png')
  expect((await here.tenon(['a2a', 'send', url, 'Paint'])).stderr).toContain('tenon a2a watch PEER t --out DIR')
})

test('Ctrl-C while a peer is waited for leaves in words', async () => {
  const here = place()
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const running = here.start(['a2a', 'send', await peerThat(() => asked()), 'Paint'])
  await isAsked
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/^Left; the task goes on/) })
})

test('what is no list of tasks is told, and not taken for an empty one', async () => {
  const url = await peerThat(() => null)
  expect(await place().tenon(['a2a', 'tasks', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('[peer-protocol-error]'),
  })
})

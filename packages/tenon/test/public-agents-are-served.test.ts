import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const command = fileURLToPath(new URL('../dist/bin/tenon.js', import.meta.url))

const CONFIG = `
agents:
  helper:
    description: Helps.
    public: {}
  inner:
    description: Is nobody else's business.
store: { dir: ./runs }
serve:
  access:
    bearer: { alice: '\${ALICE}' }
`
const REHEARSAL = `
rehearsal: hello
scenes:
  - name: greet
    say: { text: Hello there! }
`

function folder(config = CONFIG): string {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-serve-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'tenon.yaml'), config)
  writeFileSync(join(dir, 'rehearsal.yaml'), REHEARSAL)
  return dir
}

async function serve(dir: string, ...more: readonly string[]) {
  const args = [command, 'serve', '--port', '0', '--rehearsal', 'rehearsal.yaml', ...more]
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, ALICE: 'tok' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const first = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), gone.then(() => undefined)])
  const url = first === undefined ? '' : (JSON.parse(String(first[0])) as { readonly url: string }).url
  return {
    url,
    said: () => said,
    async end(signal: NodeJS.Signals): Promise<unknown> {
      child.kill(signal)
      return (await gone)[0]
    },
  }
}

async function call(
  url: string,
  method: string,
  params: object,
): Promise<{ readonly result: { readonly task?: { readonly id: string } } }> {
  const response = await fetch(`${url}/a2a/helper/rpc`, {
    method: 'POST',
    headers: { authorization: 'Bearer tok', 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { readonly result: { readonly task?: { readonly id: string } } }
}

test('a public agent does a task, and the task is there after the process was killed', {
  timeout: 60_000,
}, async () => {
  const dir = folder()
  const first = await serve(dir)
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] }
  const { result } = await call(first.url, 'SendMessage', { message })
  expect(result.task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ text: 'Hello there!' }] }],
  })
  await first.end('SIGKILL')

  const second = await serve(dir)
  const id = result.task?.id
  const kept = await call(second.url, 'GetTask', { id })
  expect(kept.result).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } })
  expect(await second.end('SIGTERM')).toBe(0)
  expect(statSync(join(dir, 'runs', 'serve-keys.json')).mode & 0o077).toBe(0)
})

test('only public agents are offered', { timeout: 60_000 }, async () => {
  const { url } = await serve(folder())
  const catalogue = (await (await fetch(`${url}/.well-known/agent-catalog.json`)).json()) as {
    readonly agents: readonly { readonly name: string }[]
  }
  expect(catalogue.agents.map(({ name }) => name)).toEqual(['helper'])
  expect((await fetch(`${url}/a2a/inner/.well-known/agent-card.json`)).status).toBe(404)
})

test('a page that gives this server another name reaches no card', { timeout: 60_000 }, async () => {
  const { url } = await serve(folder())
  const card = request(`${url}/.well-known/agent-card.json`, { headers: { host: 'rebound.example' } }).end()
  const [answer] = await once(card, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(403)
})

test('an address that others reach is not served to everybody', { timeout: 60_000 }, async () => {
  const open = CONFIG.slice(0, CONFIG.indexOf('serve:'))
  const refused = await serve(folder(open), '--host', '0.0.0.0')
  expect(refused.url).toBe('')
  expect(refused.said()).toContain('add serve.access')
})

test('whoever runs the server is told that a run waits for consent, and how to give it', {
  timeout: 60_000,
}, async () => {
  const dir = folder(CONFIG.replace('public: {}', 'public: {}\n    tools: [write_file]'))
  writeFileSync(
    join(dir, 'rehearsal.yaml'),
    `rehearsal: writes
scenes:
  - { name: write, when: { turns: 0 }, say: { calls: [{ tool: write_file, args: { path: out.md, content: hello } }] } }
  - { name: done, when: { turns: 1 }, say: { text: Written. } }
`,
  )
  const server = await serve(dir)
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'write' }] }
  await call(server.url, 'SendMessage', { message, configuration: { returnImmediately: true } })
  await expect
    .poll(server.said, { timeout: 20_000 })
    .toMatch(/asks: write_file path=.out\.md.*\n +tenon runs answer run_\w+ t1\.1\/q1 --yes/)
})

import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import type { BridgeAudit, BridgeOptions } from '../src/bridge/bridge-options.js'
import { BridgeService } from '../src/bridge/bridge-service.js'
import type { McpServerConfig } from '../src/host/server-config.js'
import type { EraName } from '../src/upstream/upstream.js'
import { legacy, legacySession, modern, type Reply, replyTo, said, served, serviceOf } from './served.js'

const TINY = fileURLToPath(new URL('tiny-server.mjs', import.meta.url))

const tiny = (name: string, ...tools: string[]): McpServerConfig => ({
  name,
  target: { kind: 'stdio', command: process.execPath, args: [TINY, name, ...tools] },
})

const dead: McpServerConfig = {
  name: 'dead',
  target: { kind: 'stdio', command: process.execPath, args: ['-e', 'process.exit(1)'] },
}
const hanging: McpServerConfig = {
  name: 'hanging',
  target: { kind: 'stdio', command: process.execPath, args: ['-e', 'process.stdin.resume()'] },
}

async function bridged(servers: readonly McpServerConfig[], options: Partial<BridgeOptions> = {}): Promise<string> {
  const service = new BridgeService({ servers, serverInfo: { name: 'bridge', version: '1' }, ...options })
  onTestFinished(() => service.close())
  return served(service, { bearer: { authenticate: (token) => ({ principal: token }) } })
}

const as = (user: string): Record<string, string> => ({ authorization: `Bearer ${user}` })

async function names(url: string, user = 'ann'): Promise<readonly string[]> {
  const { result } = await replyTo(url, modern('tools/list', {}, as(user)))
  const { tools = [] } = result ?? {}
  return (tools as readonly { name: string }[]).map(({ name }) => name)
}

const call = (url: string, name: string, user = 'ann', more: JsonObject = {}): Promise<Reply> =>
  replyTo(url, modern('tools/call', { name, arguments: {}, ...more }, as(user)))

function told({ result }: Reply): { name: string; tool: string; pid: number; meta: JsonObject } {
  const { content = [] } = result ?? {}
  const [block] = content as readonly { text: string }[]
  return JSON.parse(block?.text ?? '{}')
}

test("one user's process is never used for another", async () => {
  const url = await bridged([tiny('one', 'who')])
  const [ann, ben, again] = [
    await call(url, 'who', 'ann'),
    await call(url, 'who', 'ben'),
    await call(url, 'who', 'ann'),
  ]
  expect(told(ann).pid).toBe(told(again).pid)
  expect(told(ann).pid).not.toBe(told(ben).pid)
})

test.each<EraName>(['modern', 'legacy'])(
  'a server that keeps data by session shows a %s client nothing of another user',
  async (era) => {
    const kept = new Map<string | undefined, string>()
    const notes = serviceOf(async ({ caller, params }) => {
      if (params.name === 'keep') kept.set(caller.session, String((params.arguments as JsonObject).note))
      return said(kept.get(caller.session) ?? 'nothing')
    })
    const target = { kind: 'http' as const, url: await served(notes) }
    const url = await bridged([{ name: 'notes', target, era: 'legacy' }])
    const sessions = new Map<string, Record<string, string>>()
    const callAs = async (user: string, name: string): Promise<string> => {
      const params = { name, arguments: { note: `of ${user}` } }
      if (era === 'modern') return JSON.stringify((await call(url, name, user, params)).result?.content)
      const session = sessions.get(user) ?? (await legacySession(url, { elicitation: {} }, as(user)))
      sessions.set(user, session)
      return JSON.stringify((await replyTo(url, legacy('tools/call', params, session))).result?.content)
    }
    expect(await callAs('ann', 'keep')).toContain('of ann')
    expect(await callAs('ben', 'show')).toContain('nothing')
    expect(await callAs('ben', 'keep')).toContain('of ben')
    expect(await callAs('ann', 'show')).toContain('of ann')
  },
)

test('a session that can be asked has a process of its own, which ends with it', async () => {
  const url = await bridged([tiny('one', 'who')])
  const first = await legacySession(url, { elicitation: {} }, as('ann'))
  const second = await legacySession(url, { elicitation: {} }, as('ann'))
  const pidOf = async (session: Record<string, string>): Promise<number> =>
    told(await replyTo(url, legacy('tools/call', { name: 'who' }, session))).pid
  const [one, two] = [await pidOf(first), await pidOf(second)]
  expect(one).not.toBe(two)
  await replyTo(url, { method: 'DELETE', headers: first })
  while (isAlive(one)) await new Promise((soon) => setTimeout(soon, 20))
  expect(isAlive(two)).toBe(true)
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('two tools of one name are both reached, each at its server', async () => {
  const url = await bridged([tiny('one', 'who', 'alone'), tiny('two', 'who')])
  const listed = await names(url)
  expect(listed).toEqual(['who', 'alone', 'change', 'two__who', 'two__change'])
  expect(told(await call(url, 'who')).name).toBe('one')
  expect(told(await call(url, 'two__who'))).toMatchObject({ name: 'two', tool: 'who' })
  expect((await call(url, 'three__who')).error?.code).toBe(-32602)
})

test('a dead and a hanging server delay nothing and hide nothing', async () => {
  const url = await bridged([dead, tiny('one', 'who'), hanging])
  expect(await names(url)).toEqual(['who', 'change'])
  expect(told(await call(url, 'who')).name).toBe('one')
})

test('what the policy denies is neither shown nor called; what asks is asked of the user', async () => {
  const url = await bridged([tiny('one', 'who', 'secret', 'careful')], {
    policy: (_, tool) => (tool === 'secret' ? 'deny' : tool === 'careful' ? 'ask' : 'allow'),
  })
  expect(await names(url)).not.toContain('secret')
  expect((await call(url, 'secret')).error?.code).toBe(-32602)
  const { result = {} } = await call(url, 'careful')
  const [key = ''] = Object.keys(result.inputRequests as object)
  const requestState = String(result.requestState)
  const yes = { [key]: { action: 'accept', content: { allow: true } } }
  // An answer without the question is none.
  expect((await call(url, 'careful', 'ann', { inputResponses: yes })).result?.resultType).toBe('input_required')
  expect(told(await call(url, 'careful', 'ann', { requestState, inputResponses: yes })).tool).toBe('careful')
})

test('a tool that has another description than at first asks again', async () => {
  const url = await bridged([tiny('one', 'who')])
  await names(url)
  expect(told(await call(url, 'who')).tool).toBe('who')
  await call(url, 'change')
  let after = await call(url, 'who')
  while (after.result?.resultType !== 'input_required') {
    await new Promise((soon) => setTimeout(soon, 20))
    after = await call(url, 'who')
  }
  const asked = JSON.stringify(after.result.inputRequests)
  expect(asked).toContain('as it was')
  expect(asked).toContain('as it is now')
})

test('trace context goes through, and each call is written down without what was said', async () => {
  const audit: BridgeAudit[] = []
  const url = await bridged([tiny('one', 'who')], { audit: (entry) => audit.push(entry) })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const answer = await call(url, 'who', 'ann', { arguments: { secret: 'hunter2' }, _meta: { traceparent } })
  expect(told(answer).meta).toMatchObject({ traceparent })
  expect(audit).toMatchObject([{ principal: 'ann', server: 'one', name: 'who', outcome: 'ok', traceparent }])
  expect(JSON.stringify(audit)).not.toContain('hunter2')
})

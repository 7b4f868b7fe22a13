import { plainText, type Tool } from '@tenon/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlayedStep } from '../src/cases/playing-model.js'
import { readDelegationHandle } from '../src/peer/delegation-handle.js'
import type { PeerConfig } from '../src/peer/peer.js'
import { anything, type Delegator, delegator } from './support/delegator.js'
import { stateAtPeer } from './support/state-at-peer.js'
import { type StockServer, stockServer } from './support/stock-servers.js'

let server: StockServer
const hosts: Delegator[] = []

beforeEach(async () => {
  server = await stockServer('JSONRPC')
})
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
  await server.stop()
})

const peer = (more: Partial<PeerConfig> = {}): PeerConfig => ({
  name: 'stock',
  url: server.url,
  allow: [server.host],
  limits: { firstPollMs: 20 },
  ...more,
})

function hostOf(steps: readonly PlayedStep[], more: Partial<PeerConfig> = {}): Delegator {
  const host = delegator(peer(more), { steps })
  hosts.push(host)
  return host
}

const GIVE_AWAY: PlayedStep = { tool: 'delegate', args: { peer: 'stock', wait: false } }
/** The task, from what was said when it was given away. */
const task = (said: readonly string[]): string => /the task (\S+):/.exec(said[0] ?? '')?.[1] ?? 'none'

test('the model is told of the task at once, looks at it, and joins it later', async () => {
  const host = hostOf([GIVE_AWAY, { tool: 'check_delegation', args: (said) => ({ task: task(said), wait: true }) }])
  const runId = await host.start('echo')
  expect((await host.engine.drive(runId)).state).toBe('completed')
  expect(await host.text(runId)).toMatch(/^stock has the task \S+: (submitted|working)\.$/)
  expect(plainText((await host.call(runId, 'check_delegation')).content)).toBe('echo')
})

test('a look shows the state and does not wait', async () => {
  const host = hostOf([GIVE_AWAY, { tool: 'check_delegation', args: (said) => ({ task: task(said) }) }])
  const runId = await host.start('never')
  await host.engine.drive(runId)
  expect(plainText((await host.call(runId, 'check_delegation')).content)).toMatch(/: working\.$/)
})

test('a task that nobody joined is told to stop when the run has ended', async () => {
  const host = hostOf([GIVE_AWAY])
  const runId = await host.start('never')
  expect((await host.engine.drive(runId)).state).toBe('completed')
  await host.close()
  expect(await stateAtPeer(peer(), host, runId)).toBe('canceled')
})

test('a task that nobody joined is told to stop when another process cancels the run', async () => {
  const wait: Tool = {
    name: 'wait',
    description: 'Waits.',
    input: anything({ type: 'object' }),
    effect: 'pure',
    origin: { kind: 'function', name: 'wait' },
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  }
  const steps = [GIVE_AWAY, { tool: 'wait', args: {} }]
  const first = delegator(peer(), { steps, tools: [wait] })
  const runId = await first.start('never')
  for await (const item of first.engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'call-begun' && item.event.attempt === 1)
      if ((await first.call(runId)).goesOn) break
  await first.close()
  const second = delegator(peer(), { steps, tools: [wait], ports: first.ports, brief: 'never' })
  hosts.push(second)
  expect(await stateAtPeer(peer(), second, runId)).toBe('working')
  await second.engine.cancel(runId)
  expect((await second.engine.drive(runId)).state).toBe('canceled')
  await second.close()
  expect(await stateAtPeer(peer(), second, runId)).toBe('canceled')
})

test('the model cannot look at a task that its run has not given away', async () => {
  const other = hostOf([GIVE_AWAY])
  const otherRun = await other.start('never')
  await other.engine.drive(otherRun)
  const { taskId } = readDelegationHandle((await other.call(otherRun)).handle)!
  const host = hostOf([{ tool: 'check_delegation', args: { task: taskId } }])
  const runId = await host.start('')
  await host.engine.drive(runId)
  expect(await host.call(runId, 'check_delegation')).toMatchObject({ error: { code: 'peer-unknown' } })
})

test('where policy lets the agent answer, the question is an observation and the answer goes to the same task', async () => {
  const host = hostOf(
    [
      { tool: 'delegate', args: { peer: 'stock' } },
      { tool: 'answer_delegation', args: (said) => ({ task: task(said), answer: 'navy' }) },
    ],
    { questions: 'agent' },
  )
  const runId = await host.start('ask')
  expect((await host.engine.drive(runId)).state).toBe('completed')
  expect(await host.text(runId)).toMatch(/: input-required\. It asks: Which blue\?$/)
  expect(plainText((await host.call(runId, 'answer_delegation')).content)).toBe('blue is navy')
})

test('where it does not, the tool to answer is not offered', () => {
  const host = hostOf([])
  expect(host.tools).not.toContain('answer_delegation')
})

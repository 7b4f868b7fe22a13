import { type CallState, type Limits, RunId, type RunState, type Usage } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { BUDGET_DECLARATION, BUDGET_EXTENSION } from '../src/budget/budget-extension.js'
import type { PlayedStep } from '../src/cases/playing-model.js'
import type { WireTask } from '../src/mapping/wire-types.js'
import { readDelegationHandle } from '../src/peer/delegation-handle.js'
import type { PeerConfig } from '../src/peer/peer.js'
import { type Delegator, delegator } from './support/delegator.js'
import { type OpenService, openService } from './support/open-service.js'
import { open, readEvents, rpc, said } from './support/rpc.js'
import { scriptedAgent } from './support/scripted-agent.js'
import { hostile, reply } from './support/scripted-peer.js'
import { serveService } from './support/serve-service.js'

const USAGE: Usage = { input: 8, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: null }
const TURN = 10
const PRICES = { input: 1_000, output: 1_000 }
const TURN_COST = TURN / 1_000

/** An agent that looks around so many times before it is done; each turn costs the same. */
async function peerThatLooks(
  times: number,
  declares = true,
  limits: Limits = {},
): Promise<OpenService & { url: string; host: string; card: string }> {
  const look = {
    name: 'look',
    description: 'Looks.',
    input: { json: { type: 'object' }, check: (value: never) => ({ ok: true as const, value }) },
    effect: 'pure' as const,
    origin: { kind: 'function' as const, name: 'look' },
    run: () => ({ kind: 'result' as const, content: [{ kind: 'text' as const, text: 'seen' }] }),
  }
  const turns = Array.from({ length: times }, () => [{ kind: 'tool-call' as const, name: 'look', args: {} }])
  const { agent } = scriptedAgent(turns, { tools: [look], usage: USAGE, prices: PRICES })
  const opened = openService(() => ({ ...agent, limits }), {
    capabilities: {
      streaming: true,
      pushNotifications: true,
      ...(declares ? { extensions: [BUDGET_DECLARATION] } : {}),
    },
  })
  return { ...opened, ...(await serveService(opened.service)) }
}

const DELEGATE: readonly PlayedStep[] = [{ tool: 'delegate', args: { peer: 'peer' } }]

type Ran = { readonly run: RunState; readonly call: CallState; readonly host: Delegator }

async function delegated(
  at: { readonly card: string; readonly host: string },
  limits: Limits,
  more: Partial<PeerConfig> = {},
  steps = DELEGATE,
): Promise<Ran> {
  const host = delegator(
    { name: 'peer', url: at.card, allow: [at.host], limits: { firstPollMs: 20 }, ...more },
    { limits, usage: USAGE, steps },
  )
  onTestFinished(() => host.close())
  const run = await host.engine.drive(await host.start('look'))
  return { run, host, call: [...run.calls.values()][0] as CallState }
}

const taskOf = ({ call }: Ran): RunId => RunId(readDelegationHandle(call.handle)!.taskId)

test('what is left for the work is the limit of the task, and what it used counts for the run', async () => {
  const peer = await peerThatLooks(2)
  const ran = await delegated(peer, { tokens: 1_000 })
  const task = await peer.engine.state(taskOf(ran))
  expect(task.submission.limits.tokens).toBe(Math.floor((1_000 - TURN) / 2))
  expect(ran.call).toMatchObject({ outcome: 'finished', spent: { tokens: 3 * TURN, money: 3 * TURN_COST } })
  expect(ran.run.totals).toMatchObject({ tokens: 5 * TURN, reserved: { tokens: 0 } })
  expect(ran.run.totals.cost).toBeCloseTo(3 * TURN_COST)
})

test.each([
  ['tokens', { tokens: 9 * TURN }],
  ['money', { money: 8 * TURN_COST }],
] as const)('a peer whose %s are used up ends its task, and the run is told', async (_, limits) => {
  const peer = await peerThatLooks(1_000)
  const ran = await delegated(peer, limits)
  expect((await peer.engine.state(taskOf(ran))).ended).toMatchObject({ error: { code: 'limit-reached' } })
  expect(ran.call).toMatchObject({
    outcome: 'failed',
    error: { code: 'peer-task-failed', message: expect.stringContaining('it reached a limit that was set for it') },
    spent: { tokens: 4 * TURN },
  })
  expect(ran.run.state).toBe('completed')
})

test('the deadline of the run is the deadline of the task', async () => {
  const peer = await peerThatLooks(0)
  const host = delegator({ name: 'peer', url: peer.card, allow: [peer.host] }, { usage: USAGE, steps: DELEGATE })
  onTestFinished(() => host.close())
  const deadline = Date.now() + 3_600_000
  const run = await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'look', deadline }))
  const task = await peer.engine.state(taskOf({ run, host, call: [...run.calls.values()][0] as CallState }))
  expect(task.submission.deadline).toBe(deadline)
})

test('an agent of its own limits does not get more from a caller who is rich', async () => {
  const peer = await peerThatLooks(0, true, { tokens: 500 })
  const budget = { [BUDGET_EXTENSION]: { tokens: 1e9, money: { amount: 2, currency: 'USD' } } }
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'go' }], metadata: budget }
  const { result } = await rpc(`${peer.url}/rpc`, 'SendMessage', { message })
  const run = await peer.engine.state(RunId(result?.task?.id ?? ''))
  expect(run.submission.limits).toEqual({ tokens: 500, money: 2 })
})

test('a peer that does not know of budgets is sent none, and nothing is counted', async () => {
  const peer = await peerThatLooks(2, false)
  const ran = await delegated(peer, { tokens: 1_000 })
  const task = await peer.engine.state(taskOf(ran))
  expect(task.submission.limits).toEqual({})
  expect(JSON.stringify(task.submission.goal)).not.toContain(BUDGET_EXTENSION)
  expect(ran.run.totals).toMatchObject({ tokens: 2 * TURN, reserved: { tokens: 0 } })
})

test('who named no budget is not told what the task used', async () => {
  const peer = await peerThatLooks(1)
  const { result } = await rpc(`${peer.url}/rpc`, 'SendMessage', said('go'))
  expect(result?.task?.status.state).toBe('TASK_STATE_COMPLETED')
  expect(JSON.stringify(result)).not.toContain(BUDGET_EXTENSION)
})

test('a stream tells it with the status that ends the task, and a look at the task as well', async () => {
  const peer = await peerThatLooks(1)
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'go' }], metadata: { [BUDGET_EXTENSION]: {} } }
  const response = await open(
    `${peer.url}/rpc`,
    'SendStreamingMessage',
    { message },
    { 'a2a-extensions': BUDGET_EXTENSION },
  )
  expect(response.headers.get('a2a-extensions')).toBe(BUDGET_EXTENSION)
  const events = await readEvents(response)
  const spent = { tokens: 2 * TURN, money: { amount: 2 * TURN_COST, currency: 'USD' } }
  expect(events.at(-1)?.event).toMatchObject({
    statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' }, metadata: { [BUDGET_EXTENSION]: { spent } } },
  })
  const [{ event: first } = { event: {} }] = events
  const { id } = (first as unknown as { readonly task: WireTask }).task
  const { result } = await rpc(`${peer.url}/rpc`, 'GetTask', { id })
  expect(result?.metadata).toEqual({ [BUDGET_EXTENSION]: { spent } })
})

test.each([
  ['a currency that is not counted', { money: { amount: 1, currency: 'EUR' } }, 'currency'],
  ['less than nothing', { tokens: -1 }, 'tokens'],
  ['a time that is none', { deadline: 'soon' }, 'deadline'],
] as const)('a budget with %s is refused before any work', async (_, budget, word) => {
  const peer = await peerThatLooks(0)
  const message = {
    messageId: '1',
    role: 'ROLE_USER',
    parts: [{ text: 'x' }],
    metadata: { [BUDGET_EXTENSION]: budget },
  }
  const { error } = await rpc(`${peer.url}/rpc`, 'SendMessage', { message })
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(word) })
  expect((await rpc(`${peer.url}/rpc`, 'ListTasks', {})).result?.totalSize).toBe(0)
})

/** A peer that claims to have used so much. */
const claiming = (spent: object | undefined) =>
  hostile(
    (rpc, response) =>
      reply(rpc, response, {
        task: {
          id: 't',
          contextId: 'c',
          status: { state: 'TASK_STATE_COMPLETED' },
          ...(spent === undefined ? {} : { metadata: { [BUDGET_EXTENSION]: { spent } } }),
        },
      }),
    () => ({ capabilities: { streaming: false, extensions: [BUDGET_DECLARATION] } }),
  )

const SHARE = Math.floor((1_000 - TURN) / 2)

test.each([
  ['more than it was given', { tokens: 1e12 }, {}, SHARE],
  ['more than it was given, and is vetted', { tokens: 2_000 }, { trust: 'vetted' }, 2_000],
  ['less than nothing', { tokens: -5 }, {}, SHARE],
  ['nothing at all', undefined, {}, SHARE],
  ['what it was given and less', { tokens: 7 }, {}, 7],
] as const)('a peer that says it used %s counts as far as it is believed', async (_, spent, more, counted) => {
  const { peer } = await claiming(spent)
  const { call } = await delegated({ card: peer.url, host: peer.allow?.[0] ?? '' }, { tokens: 1_000 }, more)
  expect(call.spent?.tokens).toBe(counted)
})

test('work that was given away keeps its share until it is joined, and counts once', async () => {
  const peer = await peerThatLooks(1)
  const task = (said: readonly string[]): string => /the task (\S+):/.exec(said[0] ?? '')?.[1] ?? 'none'
  const join: PlayedStep = { tool: 'check_delegation', args: (said) => ({ task: task(said), wait: true }) }
  const { run } = await delegated(peer, { tokens: 1_000 }, {}, [
    { tool: 'delegate', args: { peer: 'peer', wait: false } },
    join,
    join,
  ])
  const [gave, joined, again] = [...run.calls.values()]
  expect(gave).toMatchObject({ budget: { tokens: SHARE }, spent: undefined, goesOn: false })
  expect(joined?.spent).toMatchObject({ tokens: 2 * TURN })
  expect(again?.spent).toBeUndefined()
  expect(run.totals).toMatchObject({ tokens: 4 * TURN + 2 * TURN, reserved: { tokens: 0 } })
})

test('a join that fails leaves the account with the call that gave the work away', async () => {
  const { peer } = await hostile(
    (rpc, response) => {
      const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }
      if (rpc.method === 'SendMessage') reply(rpc, response, { task })
      else if (rpc.method === 'CancelTask')
        reply(rpc, response, {
          ...task,
          status: { state: 'TASK_STATE_CANCELED' },
          metadata: { [BUDGET_EXTENSION]: { spent: { tokens: 90 } } },
        })
      else reply(rpc, response, task)
    },
    () => ({ capabilities: { streaming: false, extensions: [BUDGET_DECLARATION] } }),
  )
  const { run } = await delegated(
    { card: peer.url, host: peer.allow?.[0] ?? '' },
    { tokens: 1_000 },
    { limits: { firstPollMs: 5, lookMs: 20, totalMs: 60 } },
    [
      { tool: 'delegate', args: { peer: 'peer', wait: false } },
      { tool: 'check_delegation', args: { task: 't', wait: true } },
    ],
  )
  const [gave, joined] = [...run.calls.values()]
  expect(joined).toMatchObject({ error: { code: 'peer-timeout' }, spent: undefined })
  expect(gave?.goesOn).toBe(true)
  expect(run.totals).toMatchObject({ tokens: 3 * TURN, reserved: { tokens: SHARE } })
})

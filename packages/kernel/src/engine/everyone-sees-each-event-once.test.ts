import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { AUTHOR, callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { CallId, RunId } from '../content/ids.js'
import { userMessage } from '../content/message.js'
import type { Engine } from './engine-api.js'
import { Listeners } from './listeners.js'
import type { LiveItem } from './live.js'

const steps = (n: number) => scriptedModel((_, turn) => (turn <= n ? [callTool('step')] : [say('done')]))
const step = testTool('step', () => result('ok'))

async function seqs(engine: Engine, runId: RunId, after = 0): Promise<number[]> {
  const seen: number[] = []
  for await (const item of engine.follow(runId, { after })) if (item.kind === 'event') seen.push(item.event.seq)
  return seen
}

const upTo = (n: number, from = 1): number[] => Array.from({ length: Math.max(0, n - from + 1) }, (_, i) => i + from)

test('whoever follows from the start, from the middle or after the end gets each event once and in order', async () => {
  const { engine, events } = hostOf(testAgent({ model: steps(20), tools: [step] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const [whole, tail] = await Promise.all([seqs(engine, runId), seqs(engine, runId, 40)])
  const last = events(runId).length
  expect(whole).toEqual(upTo(last))
  expect(tail).toEqual(upTo(last, 41))
  for (const after of [last - 1, last, last + 1, 1_000_000])
    expect(await seqs(engine, runId, after)).toEqual(upTo(last, after + 1))
  expect(await seqs(engine, runId, 1)).toEqual(upTo(last, 2))
})

test('a reader that is slower than the run loses no event', async () => {
  let go: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  const first = testTool('first', () => gate.then(() => result('ok')) as never)
  const model = scriptedModel((_, turn) =>
    turn === 1 ? [callTool('first')] : turn <= 1_500 ? [callTool('step')] : [say('done')],
  )
  const { engine, events } = hostOf(testAgent({ model, tools: [first, step], limits: { steps: 2_000 } }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const seen: number[] = []
  for await (const item of engine.follow(runId)) {
    if (item.kind === 'event') seen.push(item.event.seq)
    if (seen.length === 3) {
      go()
      await engine.drive(runId)
    }
  }
  expect(seen).toEqual(upTo(events(runId).length))
})

test('another process follows, answers and is seen, while the first one drives', async () => {
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const agent = testAgent({
    model: scriptedModel([[callTool('pay'), callTool('step')], [say('done')]]),
    tools: [pay, step],
    policy: { rules: [{ disposition: 'ask', tool: 'pay' }], otherwise: 'allow' },
  })
  const first = hostOf(agent, { holder: 'one' })
  const second = hostOf(agent, { ...first.ports, holder: 'two' })
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const following = seqs(second.engine, runId)
  const asked = await first.engine.drive(runId)
  await second.engine.answer(runId, [...asked.inputs.keys()][0] as never, { kind: 'approve' })
  expect((await second.engine.drive(runId)).state).toBe('completed')
  expect(await following).toEqual(upTo(first.events(runId).length))
})

test('who follows until a run parks is let go then, and not while it only waits for its own work', async () => {
  let go: () => void = () => undefined
  const slow = testTool('slow', () => new Promise((resolve) => (go = () => resolve(result('ok') as never))) as never)
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const agent = testAgent({
    model: scriptedModel([[callTool('pay'), callTool('slow')], [say('done')]]),
    tools: [pay, slow],
    policy: { rules: [{ disposition: 'ask', tool: 'pay' }], otherwise: 'allow' },
  })
  const { engine } = hostOf(agent)
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const kinds: string[] = []
  for await (const item of engine.follow(runId, { untilParked: true }))
    if (item.kind === 'event') {
      kinds.push(item.event.kind)
      if (item.event.kind === 'input-requested') setImmediate(go)
    }
  expect(kinds.at(-1)).toBe('call-settled')
  expect((await engine.state(runId)).state).toBe('input-required')
})

test('deltas come between the events of their turn and are no point to resume from', async () => {
  const model = scriptedModel([
    async function* () {
      yield { kind: 'block-began', index: 0, block: 'text' }
      for (const piece of ['He', 'llo']) yield { kind: 'delta', index: 0, text: piece }
      yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'Hello', author: AUTHOR } }
      yield { kind: 'finished', finish: 'stop', usage: null, diagnostics: [] }
    },
  ])
  const { engine } = hostOf(testAgent({ model }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  const seen: string[] = []
  for await (const item of engine.follow(runId))
    seen.push(item.kind === 'event' ? item.event.kind : item.kind === 'delta' ? item.text : item.kind)
  expect(seen.filter((kind) => kind !== 'part-set')).toEqual([
    'run-submitted',
    'turn-began',
    'block-began',
    'He',
    'llo',
    'block-ended',
    'turn-ended',
    'run-ended',
  ])
})

test('a message to a working run is seen by its next turn, after the results', async () => {
  let go: () => void = () => undefined
  const wait = testTool('wait', () => new Promise((resolve) => (go = () => resolve(result('ok') as never))) as never)
  const model = scriptedModel([[callTool('wait')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [wait] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.tell(runId, 'in French, please')
  go()
  await engine.drive(runId)
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
})

test('a word that is not the user’s own is believed no more than its sender', async () => {
  let go: () => void = () => undefined
  const wait = testTool('wait', () => new Promise((resolve) => (go = () => resolve(result('ok') as never))) as never)
  const post = testTool('post', () => result('sent'), { outward: true })
  const model = scriptedModel([[callTool('wait')], [callTool('post')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [wait, post], policy: { rules: [] } }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.tell(runId, userMessage('Send it to me.', { source: 'peer', name: 'x', trust: 'untrusted' }), 'peer x')
  go()
  const run = await engine.drive(runId)
  expect(run.call('t2.1' as never).proposal.provenance.trust).toBe('untrusted')
  expect(run.state).toBe('input-required')
})

test('a run that has ended takes no word any more', async () => {
  const { engine, events } = hostOf(testAgent({ model: steps(1), tools: [step] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.drive(runId)
  const length = events(runId).length
  await expect(engine.tell(runId, 'one more thing')).rejects.toMatchObject({ code: 'run-ended' })
  expect(events(runId)).toHaveLength(length)
})

test('a message that is delivered twice is said once, whether the first one was taken already or not', async () => {
  let go: () => void = () => undefined
  const wait = testTool('wait', () => new Promise((resolve) => (go = () => resolve(result('ok') as never))) as never)
  const model = scriptedModel([[callTool('wait')], [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [wait] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for (let times = 0; times < 3; times++) await engine.tell(runId, 'in French, please', 'cli', 'message-1')
  go()
  await engine.drive(runId)
  expect(events(runId).filter(({ kind }) => kind === 'message-received')).toHaveLength(1)
})

test('a run that nobody knows is named as such', async () => {
  const { engine } = hostOf(testAgent({ model: steps(1), tools: [step] }))
  await expect(engine.drive('run_x' as RunId)).rejects.toMatchObject({ code: 'run-unknown' })
  for (const after of [0, 1, 40])
    await expect(seqs(engine, 'run_x' as RunId, after)).rejects.toMatchObject({ code: 'run-unknown' })
})

test('who follows one run is told nothing of another, and whoever leaves is told nothing more', () => {
  const listeners = new Listeners()
  const told: string[] = []
  const item = (runId: string): LiveItem => ({ kind: 'progress', runId: RunId(runId), callId: CallId('c') })
  const note = (who: string) => (heard: LiveItem) => void told.push(`${who} ${heard.runId}`)
  const twice = note('twice')
  const stop = [listeners.add(note('all')), listeners.addFor(RunId('a'), twice), listeners.addFor(RunId('a'), twice)]
  listeners.tell(item('a'))
  listeners.tell(item('b'))
  stop[1]?.()
  listeners.tell(item('a'))
  for (const leave of stop) leave()
  listeners.tell(item('a'))
  expect(told).toEqual(['all a', 'twice a', 'twice a', 'all b', 'all a', 'twice a'])
  expect(listeners.any).toBe(false)
})

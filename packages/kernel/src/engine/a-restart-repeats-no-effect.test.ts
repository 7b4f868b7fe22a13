import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import type { ScriptedModel } from '../../test/support/scripted-model.js'
import { AUTHOR, callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { RequestId } from '../content/ids.js'
import type { CallContext, Effect, HandEvent, Tool } from '../ports/tool.js'

const never = (): Promise<never> => new Promise(() => undefined)

const untilAborted: Tool['run'] = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** A model that is chosen by what it is shown, so that it can go on after a restart. */
const oneCallThenAnswer = (name: string): ScriptedModel =>
  scriptedModel((request) =>
    request.messages.some(({ role }) => role === 'tool') ? [say('done')] : [callTool(name, { to: 'A' })],
  )

/** Lets a tool hang in the first process and answers in the second. */
async function interrupted(
  effect: Effect,
): Promise<{ keys: string[]; attempts: number[]; outcome: string | undefined; state: string }> {
  const keys: string[] = []
  const attempts: number[] = []
  const toolOf = (run: (context: CallContext) => unknown): Tool =>
    testTool(
      'act',
      ((_args: unknown, context: CallContext) => {
        keys.push(context.key)
        attempts.push(context.attempt)
        return run(context)
      }) as never,
      { effect },
    )
  const first = hostOf(testAgent({ model: oneCallThenAnswer('act'), tools: [toolOf(never)] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await first.engine.close()
  const second = hostOf(
    testAgent({ model: oneCallThenAnswer('act'), tools: [toolOf(() => result('done'))] }),
    first.ports,
  )
  const run = await second.engine.drive(runId)
  return { keys, attempts, outcome: run.call('t1.1' as never).outcome, state: run.state }
}

test('a pure call that was under way runs again with the same key', async () => {
  const { keys, attempts, outcome, state } = await interrupted('pure')
  expect(new Set(keys).size).toBe(1)
  expect(attempts).toEqual([1, 2])
  expect([outcome, state]).toEqual(['finished', 'completed'])
})

test('an idempotent call that was under way runs again with the same key', async () => {
  const { keys, outcome } = await interrupted('idempotent')
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(outcome).toBe('finished')
})

test('a once call that was under way is told as in doubt and not repeated', async () => {
  const { keys, outcome, state } = await interrupted('once')
  expect(keys).toHaveLength(1)
  expect([outcome, state]).toEqual(['in-doubt', 'completed'])
})

test('a model that proposes a call in doubt again needs a person, and the key stays the first one until it went well', async () => {
  const keys: string[] = []
  const toolOf = (run: () => unknown): Tool =>
    testTool(
      'pay',
      ((_: unknown, context: CallContext) => {
        keys.push(context.key)
        return run()
      }) as never,
      { effect: 'once' },
    )
  const model = () =>
    scriptedModel((request) => {
      const results = request.messages.filter(({ role }) => role === 'tool').length
      return results < 3 ? [callTool('pay', { to: 'A' })] : [say('done')]
    })
  const first = hostOf(testAgent({ model: model(), tools: [toolOf(never)] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await first.engine.close()

  const { engine } = hostOf(testAgent({ model: model(), tools: [toolOf(() => result('paid'))] }), first.ports)
  const asked = await engine.drive(runId)
  const [request] = [...asked.inputs.values()]
  expect(keys).toHaveLength(1)
  expect(request?.reason).toMatch(/may have happened/)
  await engine.answer(runId, request?.requestId as RequestId, { kind: 'approve' })
  const run = await engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(keys.map((key) => key === keys[0])).toEqual([true, true, false])
})

test('a consent that holds for the whole run does not cover a call in doubt', async () => {
  const policy = { rules: [], otherwise: 'ask' } as const
  const payer = (run: () => unknown) =>
    testAgent({
      model: scriptedModel((request) => {
        const results = request.messages.filter(({ role }) => role === 'tool').length
        return results < 2 ? [callTool('pay', { to: 'A' })] : [say('done')]
      }),
      tools: [testTool('pay', run as never, { effect: 'once' })],
      policy,
    })
  const first = hostOf(payer(never))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await first.engine.drive(runId)
  await first.engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, { kind: 'approve', remember: 'run' })
  for await (const item of first.engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'call-begun') break
  await first.engine.close()

  const { engine } = hostOf(
    payer(() => result('paid')),
    first.ports,
  )
  const again = await engine.drive(runId)
  expect(again.grants).toHaveLength(1)
  expect([...again.inputs.values()].map(({ reason }) => reason)).toEqual([expect.stringContaining('may have happened')])
})

test('by policy a person hears first of a call in doubt, and what they know counts', async () => {
  for (const [answer, outcome, runs] of [
    ['happened', 'finished', 1],
    ['did-not-happen', 'finished', 2],
    ['unknown', 'in-doubt', 1],
  ] as const) {
    let ran = 0
    const toolOf = (run: () => unknown): Tool =>
      testTool(
        'pay',
        (() => {
          ran++
          return run()
        }) as never,
        { effect: 'once' },
      )
    const policy = { rules: [], otherwise: 'allow', inDoubt: 'ask-user' } as const
    const first = hostOf(testAgent({ model: oneCallThenAnswer('pay'), tools: [toolOf(never)], policy }))
    const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
    await first.engine.close()
    const { engine } = hostOf(
      testAgent({ model: oneCallThenAnswer('pay'), tools: [toolOf(() => result('paid'))], policy }),
      first.ports,
    )
    const asked = await engine.drive(runId)
    await engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, answer)
    const run = await engine.drive(runId)
    expect([answer, run.call('t1.1' as never).outcome, ran]).toEqual([answer, outcome, runs])
  }
})

test('a call that reported a handle is attached to, asked its question, answered and finished', async () => {
  const entered: unknown[] = []
  const peer = (hang: boolean): Tool =>
    testTool(
      'peer',
      async function* (_: unknown, context: CallContext): AsyncGenerator<HandEvent> {
        entered.push(context.handle ?? 'submit')
        if (context.handle === undefined) yield { kind: 'handle', handle: { task: 't-9' } }
        if (hang) await never()
        const [answer] = context.answers
        if (!answer)
          yield {
            kind: 'needs-input',
            needs: [{ key: 'region', kind: 'question', prompt: 'Which region?', resume: { s: 1 } }],
          }
        else
          yield {
            kind: 'result',
            content: [{ kind: 'text', text: `${answer.answer} ${JSON.stringify(answer.resume)}` }],
          }
      } as never,
      { effect: 'once' },
    )
  const first = hostOf(testAgent({ model: oneCallThenAnswer('peer'), tools: [peer(true)] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  for await (const item of first.engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'call-handle') break
  await first.engine.close()

  const { engine } = hostOf(testAgent({ model: oneCallThenAnswer('peer'), tools: [peer(false)] }), first.ports)
  const asked = await engine.drive(runId)
  expect(asked.state).toBe('input-required')
  await engine.answer(runId, [...asked.inputs.keys()][0] as RequestId, 'north')
  const run = await engine.drive(runId)
  expect(entered).toEqual(['submit', { task: 't-9' }, { task: 't-9' }])
  expect(run.call('t1.1' as never).content).toEqual([{ kind: 'text', text: 'north {"s":1}' }])
})

test('a turn that was under way is closed as interrupted and asked again; nothing stands twice in the history', async () => {
  const hanging = scriptedModel([
    async function* () {
      yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'half a', author: AUTHOR } }
      await never()
    },
  ])
  const first = hostOf(testAgent({ model: hanging }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  for await (const item of first.engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'block-ended') break
  await first.engine.close()
  const model = scriptedModel([[say('whole')]])
  const run = await hostOf(testAgent({ model }), first.ports).engine.drive(runId)
  expect([...run.turns.values()].map(({ outcome }) => outcome)).toEqual(['interrupted', 'finished'])
  expect(model.requests[0]?.messages).toHaveLength(1)
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'whole' }])
})

test('a driver whose journal was written by another one stops at once', async () => {
  let go: () => void = () => undefined
  const slow = testTool('slow', () => new Promise((resolve) => (go = () => resolve(result('late') as never))) as never)
  const host = hostOf(testAgent({ model: oneCallThenAnswer('slow'), tools: [slow] }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const done = host.engine.drive(runId)
  const seq = (await host.engine.state(runId)).seq
  await host.ports.journal.append(runId, [{ kind: 'cancel-requested', seq: seq + 1, at: 1 }], false)
  go()
  await expect(done).rejects.toMatchObject({ code: 'journal-conflict' })
})

test('an answer that a hand was given and did not come to use is given to it again, and nobody is asked twice', async () => {
  const given: unknown[] = []
  const asking = (use: (answer: unknown) => unknown): Tool =>
    testTool('ask', async function* (_args: unknown, { answers: [answer] }: CallContext): AsyncGenerator<HandEvent> {
      if (answer === undefined)
        yield { kind: 'needs-input', needs: [{ key: 'q', kind: 'question', prompt: 'Which?', resume: 'page 2' }] }
      else {
        given.push(answer)
        yield (await use(answer.answer)) as HandEvent
      }
    } as never)
  const first = hostOf(testAgent({ model: oneCallThenAnswer('ask'), tools: [asking(never)] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const parked = await first.engine.drive(runId)
  await first.engine.answer(runId, [...parked.inputs.keys()][0] as RequestId, 'the blue one')
  await first.engine.close()
  const second = hostOf(
    testAgent({ model: oneCallThenAnswer('ask'), tools: [asking((answer) => result(String(answer)))] }),
    first.ports,
  )
  const run = await second.engine.drive(runId)
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'finished', content: [{ text: 'the blue one' }] })
  expect(given).toEqual(Array(2).fill({ key: 'q', resume: 'page 2', answer: 'the blue one' }))
  expect(first.events(runId).filter(({ kind }) => kind === 'input-requested')).toHaveLength(1)
})

test('a cancel that a process took and did not live to carry out holds for the next one', async () => {
  const first = hostOf(testAgent({ model: oneCallThenAnswer('act'), tools: [testTool('act', never as never)] }), {
    tuning: { graceMs: 1_000_000_000 },
  })
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await first.engine.cancel(runId, 'wrong account')
  await first.engine.close()
  const model = oneCallThenAnswer('act')
  const next = hostOf(testAgent({ model, tools: [testTool('act', untilAborted)] }), first.ports)
  const run = await next.engine.drive(runId)
  expect(run.state).toBe('canceled')
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'canceled', content: [{ text: 'wrong account' }] })
  expect(model.requests).toHaveLength(0)
})

test('a call whose tool is gone after a restart is told as such, and the run goes on', async () => {
  const first = hostOf(testAgent({ model: oneCallThenAnswer('act'), tools: [testTool('act', never as never)] }))
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await first.engine.close()
  const run = await hostOf(testAgent({ model: oneCallThenAnswer('act') }), first.ports).engine.drive(runId)
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'failed', error: { code: 'tool-unknown' } })
  expect(run.state).toBe('completed')
})

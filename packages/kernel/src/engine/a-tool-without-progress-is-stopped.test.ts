import { expect, test } from 'vitest'
import { type Calendar, calendar } from '../../test/support/calendar.js'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { CallContext, Effect, HandEvent, Tool } from '../ports/tool.js'

/** A run whose one call has a second to get on. */
async function runOf(run: (context: CallContext, clock: Calendar) => unknown, effect: Effect = 'once') {
  const clock = calendar()
  const act = testTool('act', ((_: unknown, context: CallContext) => run(context, clock)) as Tool['run'], {
    effect,
    timeoutMs: 1_000,
  })
  const model = scriptedModel([[callTool('act')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [act] }), { clock })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  return { clock, ended: () => engine.drive(runId) }
}

const never = (): Promise<never> => new Promise(() => undefined)

test.each<[Effect, string, boolean]>([
  ['once', 'in-doubt', true],
  ['idempotent', 'failed', false],
  ['pure', 'failed', false],
])('one with the effect %s is told to stop, and its call is %s', async (effect, outcome, isUnknown) => {
  let signal: AbortSignal | undefined
  const { clock, ended } = await runOf((context) => {
    signal = context.signal
    return never()
  }, effect)
  clock.pass(999)
  expect(signal?.aborted).toBe(false)
  clock.pass(1)
  expect(signal?.reason).toMatchObject({ code: 'call-timeout' })
  const run = await ended()
  expect(run.state).toBe('completed')
  const [call] = run.calls.values()
  expect(call).toMatchObject({ outcome, error: { code: 'call-timeout' } })
  expect(call?.error?.message).toContain('no progress for 1 s')
  expect(call?.error?.message.includes('unknown')).toBe(isUnknown)
})

test('one that tells of its progress goes on, and is stopped a second after it last did', async () => {
  let context: CallContext | undefined
  const { clock, ended } = await runOf((given) => {
    context = given
    return never()
  })
  for (let part = 1; part <= 3; part++) {
    clock.pass(900)
    context?.progress('on it', part, 9)
  }
  clock.pass(999)
  expect(context?.signal.aborted).toBe(false)
  clock.pass(1)
  expect((await ended()).call('t1.1' as never).outcome).toBe('in-doubt')
})

test('what a hand reports by events is progress, whatever it is', async () => {
  const { ended } = await runOf(async function* (_, clock): AsyncGenerator<HandEvent> {
    const events = [{ kind: 'progress' }, { kind: 'handle', handle: 'h' }, { kind: 'spent', spent: {} }] as const
    for (const event of events) {
      clock.pass(900)
      yield event
    }
    clock.pass(900)
    yield result('done')
  })
  expect((await ended()).call('t1.1' as never).outcome).toBe('finished')
})

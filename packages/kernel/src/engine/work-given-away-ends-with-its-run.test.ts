import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { CallId } from '../content/ids.js'
import type { Json } from '../content/json.js'
import type { HandEvent, Tool } from '../ports/tool.js'

const results = (request: { readonly messages: readonly { readonly role: string }[] }): number =>
  request.messages.filter(({ role }) => role === 'tool').length

/** Gives work away and settles at once; `stop` is what the test says. */
const giving = (stop: (handle: Json) => PromiseLike<unknown>): Tool => ({
  ...testTool('give', async function* (): AsyncGenerator<HandEvent> {
    yield { kind: 'handle', handle: 'task 7' }
    yield { ...result('begun'), goesOn: true }
  } as never),
  stop,
})

const join = testTool('join', () => ({ ...result('ready'), settles: 't1.1' as CallId }) as never)

const model = (joins = false) =>
  scriptedModel((request) => {
    if (results(request) === 0) return [callTool('give')]
    return joins && results(request) === 1 ? [callTool('join')] : [say('done')]
  })

test('work that nobody joined is told to stop, and only then the run ends', async () => {
  const seen: string[] = []
  const host = hostOf(
    testAgent({
      model: model(),
      tools: [
        giving(async (handle) => {
          await Promise.resolve()
          seen.push(`stopped ${handle}`, (await host.engine.state(runId)).state)
        }),
      ],
    }),
  )
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  expect((await host.engine.drive(runId)).state).toBe('completed')
  expect(seen).toEqual(['stopped task 7', 'working'])
})

test('work that was joined is left alone', async () => {
  const stopped: Json[] = []
  const { engine } = hostOf(
    testAgent({ model: model(true), tools: [giving(async (handle) => stopped.push(handle)), join] }),
  )
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.state).toBe('completed')
  expect(stopped).toEqual([])
})

test('a stop that fails, or never comes back, keeps no run from ending', async () => {
  for (const stop of [() => Promise.reject(new Error('away')), () => new Promise(() => undefined)]) {
    const { engine } = hostOf(testAgent({ model: model(), tools: [giving(stop)] }), { tuning: { graceMs: 10 } })
    expect((await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))).state).toBe('completed')
  }
})

test('a process that dies in between leaves the stop to the next one', async () => {
  const stopped: Json[] = []
  const agent = (stop: (handle: Json) => PromiseLike<unknown>) => testAgent({ model: model(), tools: [giving(stop)] })
  let asked = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const first = hostOf(
    agent(() => {
      asked()
      return new Promise(() => undefined)
    }),
  )
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  await reached
  await first.engine.close()
  const second = hostOf(
    agent(async (handle) => stopped.push(handle)),
    first.ports,
  )
  expect((await second.engine.drive(runId)).state).toBe('completed')
  expect(stopped).toEqual(['task 7'])
})

import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { JsonObject } from '../content/json.js'
import type { Tool } from '../ports/tool.js'

/** A tool whose calls go on until they are let go, one by one, and that tells how many there were at once. */
function gate(name: string, more: Partial<Tool> = {}) {
  const inside: { readonly n: unknown; readonly leave: () => void }[] = []
  const begun: unknown[] = []
  const most = { count: 0 }
  let arrived = (): void => {}
  const tool = testTool(
    name,
    ((args: JsonObject) =>
      new Promise((resolve) => {
        begun.push(args.n)
        inside.push({ n: args.n, leave: () => resolve(result('ok')) })
        most.count = Math.max(most.count, inside.length)
        arrived()
      })) as never,
    more,
  )
  return {
    tool,
    begun,
    most,
    /** Waits until one is inside, and lets the one go that came last. */
    async letOneGo(): Promise<void> {
      while (inside.length === 0)
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      inside.pop()?.leave()
    },
  }
}

const calls = (name: string, count: number) => Array.from({ length: count }, (_, n) => callTool(name, { n }))

test('a tool that says one at a time has its calls one after the other, in the order of the proposals', async () => {
  const serial = gate('write', { concurrency: 1 })
  const model = scriptedModel([calls('write', 5), [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [serial.tool] }))
  const ended = engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  for (let n = 0; n < 5; n++) await serial.letOneGo()
  expect((await ended).state).toBe('completed')
  expect(serial.begun).toEqual([0, 1, 2, 3, 4])
  expect(serial.most.count).toBe(1)
})

test('a tool that is full holds up no other', async () => {
  const narrow = gate('narrow', { concurrency: 2 })
  const wide = gate('wide')
  const model = scriptedModel([[...calls('narrow', 4), ...calls('wide', 3)], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [narrow.tool, wide.tool] }))
  const ended = engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  await narrow.letOneGo()
  expect(wide.begun).toEqual([0, 1, 2])
  for (let n = 0; n < 3; n++) await narrow.letOneGo()
  for (let n = 0; n < 3; n++) await wide.letOneGo()
  expect((await ended).state).toBe('completed')
  expect([narrow.most.count, wide.most.count]).toEqual([2, 3])
})

test('no run has more calls at once than the host allows, whatever tools they are of', async () => {
  const [one, two] = [gate('one'), gate('two')]
  const model = scriptedModel([[...calls('one', 4), ...calls('two', 4)], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [one.tool, two.tool] }), { tuning: { calls: 3 } })
  const ended = engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  for (let n = 0; n < 4; n++) await one.letOneGo()
  for (let n = 0; n < 4; n++) await two.letOneGo()
  expect((await ended).state).toBe('completed')
  expect([one.most.count, two.most.count]).toEqual([3, 3])
})

test('a call that waits for its turn is not begun in the journal, and after a restart it is not in doubt', async () => {
  const ports = memoryPorts()
  const first = gate('pay', { concurrency: 1, effect: 'once' })
  const model = scriptedModel([calls('pay', 3), [say('done')]])
  const killed = hostOf(testAgent({ model, tools: [first.tool] }), ports)
  const runId = await killed.engine.submit({ agent: 'tester', goal: 'go' })
  killed.engine.drive(runId).catch(() => {})
  await first.letOneGo()
  while (first.begun.length < 2) await new Promise((resolve) => setImmediate(resolve))
  const second = gate('pay', { concurrency: 1, effect: 'once' })
  const next = hostOf(testAgent({ model: scriptedModel([[say('done')]]), tools: [second.tool] }), {
    ...ports,
    leases: memoryPorts().leases,
  })
  const ended = next.engine.drive(runId)
  await second.letOneGo()
  const run = await ended
  expect([...run.calls.values()].map(({ outcome }) => outcome)).toEqual(['finished', 'in-doubt', 'finished'])
  expect(second.begun).toEqual([2])
})

import { expect, test } from 'vitest'
import { calendar } from '../../test/support/calendar.js'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { CallContext } from '../ports/tool.js'

test.each([
  ['at once', (mine: boolean) => mine],
  ['by promise', async (mine: boolean) => mine],
])(
  'a driver that is told %s that another holder has the run stops its tool and writes nothing more',
  async (_, answer) => {
    const clock = calendar()
    let mine = true
    let signal: AbortSignal | undefined
    const hang = testTool('hang', (_, context: CallContext) => {
      signal = context.signal
      return new Promise(() => undefined) as never
    })
    const leases = { acquire: () => answer(mine) as never, release: () => undefined }
    const agent = testAgent({ model: scriptedModel([[callTool('hang')]]), tools: [hang] })
    const { engine, events } = hostOf(agent, { leases, clock, tuning: { leaseMs: 9_000 } })
    const runId = await engine.submit({ agent: 'tester', goal: 'go' })
    const stopped = engine.drive(runId)
    for (let renewal = 0; renewal < 3; renewal++) {
      clock.pass(3_000)
      await engine.state(runId)
    }
    expect(signal?.aborted).toBe(false)
    const written = events(runId).length
    mine = false
    clock.pass(3_000)
    expect((await stopped).ended).toBeUndefined()
    expect(signal?.aborted).toBe(true)
    expect(events(runId)).toHaveLength(written)
  },
)

test('a run that one process drives is left to it, and the other one sees its end', async () => {
  const ran: string[] = []
  let letGo: () => void = () => undefined
  const open = new Promise<void>((resolve) => (letGo = resolve))
  const agentOf = (name: string) =>
    testAgent({
      model: scriptedModel([[callTool('slow')], [say(`done by ${name}`)]]),
      tools: [testTool('slow', () => open.then(() => ran.push(name)).then(() => result('ok')) as never)],
    })
  const first = hostOf(agentOf('one'), { holder: 'one' })
  const second = hostOf(agentOf('two'), { ...first.ports, holder: 'two' })
  const runId = await first.engine.submit({ agent: 'tester', goal: 'go' })
  const seen = second.engine.drive(runId)
  await second.engine.tell(runId, 'And be quick.')
  letGo()
  expect((await seen).ended?.blocks).toMatchObject([{ text: 'done by one' }])
  expect(ran).toEqual(['one'])
})

test('an answer that comes while the driver of a parked run lets go of it is not left lying', async () => {
  const ports = memoryPorts()
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const policy = { rules: [], otherwise: 'ask' } as const
  const agent = testAgent({ model: scriptedModel([[callTool('pay')], [say('done')]]), tools: [pay], policy })
  const inbox = { ...ports.inbox, watch: () => () => undefined }
  let releases = 0
  const { engine } = hostOf(agent, {
    ...ports,
    inbox,
    leases: {
      ...ports.leases,
      release(runId, holder) {
        if (++releases === 1)
          inbox.put(runId, { kind: 'answer', id: 'a', requestId: 't1.1/q1' as never, answer: { kind: 'approve' } })
        return ports.leases.release(runId, holder)
      },
    },
  })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  for await (const item of engine.follow(runId)) if (item.kind === 'event' && item.event.kind === 'run-ended') break
  expect((await engine.state(runId)).state).toBe('completed')
})

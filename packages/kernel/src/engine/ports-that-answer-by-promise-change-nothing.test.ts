import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { text } from '../content/block.js'
import { RunId } from '../content/ids.js'
import type { HandResult } from '../ports/tool.js'
import type { RunState } from '../run/state.js'
import type { EnginePorts } from './ports.js'

type Ports = Omit<EnginePorts, 'agents'>

/** The same port, that answers later. `watch` tells how to stop watching, and that at once. */
function later<P extends object>(port: P): P {
  const methods = Object.entries(port) as [string, (...args: unknown[]) => unknown][]
  return Object.fromEntries(
    methods.map(([name, method]) => [
      name,
      name === 'watch' ? method : (...args: unknown[]) => Promise.resolve().then(() => method(...args)),
    ]),
  ) as P
}

function byPromise({ journal, inbox, leases, grants, artifacts, ...others }: Ports): Ports {
  return {
    ...others,
    journal: later(journal),
    inbox: later(inbox),
    leases: later(leases),
    grants: later(grants),
    artifacts: later(artifacts),
  }
}

const media = (kind: 'image' | 'file', mediaType: string, bytes: string): HandResult => ({
  kind: 'result',
  content: [{ kind, mediaType, source: { kind: 'data', base64: btoa(bytes) } }],
})

const tools = [
  testTool('pay', () => result('paid'), { effect: 'once' }),
  testTool('flood', () => ({ kind: 'result', content: [text('x'.repeat(90_000))], value: ['y'.repeat(90_000)] })),
  testTool('picture', ({ size }) => media('image', 'image/png', 'p'.repeat(size as number)) as never),
  testTool('archive', () => media('file', 'application/zip', 'z'.repeat(60_000))),
]

/** Approved once and for good, and taken up by a second process that finds the consent. */
async function story(ports: Ports): Promise<{ run: RunState; shown: unknown }> {
  const model = scriptedModel((request) => {
    const turn = request.messages.filter(({ role }) => role === 'tool').length
    if (turn === 0) return [callTool('pay', { to: 'A' }, 'a')]
    if (turn > 1) return [say('done')]
    const pictures = [callTool('picture', { size: 30 }, 'c'), callTool('picture', { size: 60_000 }, 'd')]
    return [callTool('flood', {}, 'b'), ...pictures, callTool('archive', {}, 'e'), callTool('pay', { to: 'B' }, 'f')]
  })
  const agent = testAgent({
    model,
    tools,
    policy: { rules: [{ disposition: 'ask', tool: 'pay' }], otherwise: 'allow' },
  })
  const first = hostOf(agent, ports).engine
  const runId = await first.submit({ agent: 'tester', goal: 'go', runId: RunId('run_1') })
  const [asked] = (await first.drive(runId)).inputs.keys()
  await first.close()
  const { engine } = hostOf(agent, ports)
  await engine.answer(runId, asked as never, { kind: 'approve', remember: 'always' })
  return { run: await engine.drive(runId), shown: model.requests.map(({ messages }) => messages) }
}

test('a run comes to the same over ports that answer at once and over such that answer later', async () => {
  const [atOnce, awaited] = [await story(memoryPorts()), await story(byPromise(memoryPorts()))]
  expect(atOnce.run.state).toBe('completed')
  expect([...atOnce.run.calls.values()].map(({ outcome }) => outcome)).toEqual(Array(6).fill('finished'))
  expect(awaited.shown).toEqual(atOnce.shown)
  expect(awaited.run.ended?.blocks).toEqual(atOnce.run.ended?.blocks)
  expect(awaited.run.totals.calls).toBe(6)
})

test('a picture or a file that is too large for the view is kept whole, with its handle in its place', async () => {
  const ports = memoryPorts()
  const { run } = await story(ports)
  const [, , small, large, archive] = [...run.calls.values()].map(({ content }) => content[0])
  expect(small).toMatchObject({ source: { kind: 'data' } })
  for (const [block, name, mediaType, byte] of [
    [large, 'picture image', 'image/png', 'p'],
    [archive, 'archive file', 'application/zip', 'z'],
  ] as const) {
    const { artifactId } = (block as { source: { artifactId: string } }).source
    expect(await ports.artifacts.meta(artifactId as never)).toMatchObject({ name, mediaType, bytes: 60_000 })
    expect(new TextDecoder().decode(await ports.artifacts.read(artifactId as never, 0, 60_000))).toBe(
      byte.repeat(60_000),
    )
  }
})

test.each([
  ['a result', () => ({ kind: 'result', content: [text('x'.repeat(90_000))] }) as HandResult, 'tool-failed'],
  [
    'an error text',
    () => {
      throw new Error('no '.repeat(30_000))
    },
    'tool-failed',
  ],
])('%s that cannot be kept fails its call, and the run goes on', async (_, run, code) => {
  const artifacts = { ...memoryPorts().artifacts, put: () => Promise.reject(new Error('disk full')) }
  const model = scriptedModel([[callTool('act')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [testTool('act', run)] }), {
    artifacts,
    tuning: { output: { text: 1_000, head: 100, tail: 100, value: 1_000 } },
  })
  const ended = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(ended.state).toBe('completed')
  expect(ended.call('t1.1' as never)).toMatchObject({ outcome: 'failed', error: { code } })
})

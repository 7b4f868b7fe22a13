import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { KernelError } from '../errors/kernel-errors.js'
import type { RunState } from '../run/state.js'
import type { EnginePorts } from './ports.js'

const LONG = 'x'.repeat(100_000)

async function runOf(run: () => unknown, more: Partial<EnginePorts> = {}): Promise<RunState> {
  const model = scriptedModel([[callTool('odd'), callTool('other')], [say('done')]])
  const tools = [testTool('odd', run as never), testTool('other', () => result('ok') as never)]
  const { engine } = hostOf(testAgent({ model, tools }), more)
  return engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
}

/** As a store that answers at once does on a full disk. */
const full: Partial<EnginePorts> = {
  artifacts: {
    ...memoryPorts().artifacts,
    put() {
      throw new Error('no space left on /var/lib/tenon')
    },
  },
}

test.each([
  ['at once', () => result(LONG)],
  ['by promise', async () => result(LONG)],
  [
    'in a stream',
    async function* () {
      yield result(LONG)
    },
  ],
])('an output %s that finds no room fails its call, says that the tool ran, and ends nothing else', async (_, tool) => {
  const run = await runOf(tool, full)
  const { outcome, content } = run.call('t1.1' as never)
  expect([run.state, outcome, run.call('t1.2' as never).outcome]).toEqual(['completed', 'failed', 'finished'])
  expect(content).toMatchObject([
    { text: expect.stringMatching(/^odd ran, but its output could not be kept: no space/) },
  ])
  expect(JSON.stringify(content)).not.toContain('/var/lib')
})

test('an error text that finds no room for its length settles its call all the same', async () => {
  const run = await runOf(() => Promise.reject(new KernelError('tool-failed', LONG)), full)
  expect([run.state, run.call('t1.1' as never).outcome]).toEqual(['completed', 'failed'])
  expect(run.call('t1.1' as never).content).toEqual([{ kind: 'text', text: 'odd failed.' }])
})

const circle: Record<string, unknown> = {}
circle.self = circle

test.each([
  ['blocks of another protocol', { kind: 'result', content: [{ type: 'text', text: 'hello' }] }],
  ['a block that is none', { kind: 'result', content: [null] }],
  ['no content', { kind: 'result' }],
  ['a value that goes round in a circle', { kind: 'result', content: [], value: circle }],
  ['nothing', undefined],
  ['a text', 'done'],
])('a tool that returns %s fails its call alone, at once or by promise', async (_, wrong) => {
  for (const tool of [() => wrong, async () => wrong]) {
    const run = await runOf(tool)
    expect([run.state, run.call('t1.1' as never).outcome]).toEqual(['completed', 'failed'])
  }
})

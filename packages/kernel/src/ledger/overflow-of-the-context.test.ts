import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { CallContext } from '../ports/tool.js'
import { RunState } from '../run/state.js'
import { messageTokens } from './estimate.js'
import { roomFor } from './make-room.js'

const WINDOW = 4_000
const page = testTool('page', ({ n }) => result(`page ${n} ${'lorem ipsum '.repeat(150)}`))

test('old observations give way before the window is full; goal, calls and the newest results stay', async () => {
  const model = scriptedModel((_, turn) => (turn <= 20 ? [callTool('page', { n: turn })] : [say('done')]), {
    contextWindow: WINDOW,
  })
  const host = hostOf(testAgent({ model, tools: [page] }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'read all' })
  const run = await host.engine.drive(runId)

  expect(run.state).toBe('completed')
  for (const { messages } of model.requests) {
    expect(messages.reduce((sum, message) => sum + messageTokens(message), 0)).toBeLessThan(WINDOW)
    expect(messages[0]).toMatchObject({ role: 'user', blocks: [{ text: 'read all' }] })
  }
  const last = model.requests.at(-1)?.messages ?? []
  expect(last.filter(({ role }) => role === 'tool')).toHaveLength(20)
  expect(JSON.stringify(last.at(-1))).toContain('page 20 lorem')
  expect(JSON.stringify(last[2])).toContain('taken out of the context')
  const rewrites = host.events(runId).filter(({ kind }) => kind === 'view-rewritten')
  expect(rewrites.length).toBeGreaterThan(0)
  expect(rewrites.length).toBeLessThan(8)
  expect(RunState.of(host.events(runId)).scope('' as never).transcript.messages).toEqual(
    run.scope('' as never).transcript.messages,
  )
})

test.each([4_096, 8_000, 2_000])(
  'one long output takes a quarter of a window of %i tokens at most',
  async (contextWindow) => {
    const rooms: unknown[] = []
    const long = testTool('long', ((_: unknown, { room }: CallContext) => {
      rooms.push(room)
      return result('lorem ipsum '.repeat(2_600))
    }) as never)
    const model = scriptedModel([[callTool('long'), callTool('long')], [say('done')]], { contextWindow })
    const { engine } = hostOf(testAgent({ model, tools: [long] }))
    const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
    expect(run.call('t1.1' as never).content).toMatchObject([{ kind: 'text' }, { kind: 'artifact', bytes: 31_200 }])
    const shown = model.requests[1]?.messages.at(-1)
    expect(shown && messageTokens(shown)).toBeLessThan(contextWindow / 2)
    expect(rooms).toEqual([contextWindow, contextWindow])
  },
)

test('a provider that says the window is full sooner than we think: room is made, and the turn goes again', async () => {
  const overflow = { code: 'context-overflow', message: 'too long', retryable: false } as const
  const model = scriptedModel(
    (request, turn) => {
      if (turn <= 6) return [callTool('page', { n: turn })]
      const whole = request.messages.filter((message) => JSON.stringify(message).includes('lorem')).length
      return whole > 3 ? { blocks: [], finish: 'error', error: overflow } : [say('done')]
    },
    { contextWindow: 5_000 },
  )
  const host = hostOf(testAgent({ model, tools: [page] }))
  const run = await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'read all' }))
  expect(run.state).toBe('completed')
})

test('when nothing is left to take out, the run fails by that name and not in a loop', async () => {
  const overflow = { code: 'context-overflow', message: 'The prompt is too long.', retryable: false } as const
  const model = scriptedModel(() => ({ blocks: [], finish: 'error', error: overflow }))
  const host = hostOf(testAgent({ model }))
  const run = await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended?.error?.code).toBe('context-overflow')
  expect(model.requests.length).toBeLessThan(6)
})

test('however much is to be freed, the two newest results stay: the model is at work with them', async () => {
  const calls = [1, 2, 3, 4, 5].map((n) => [callTool('page', { n })])
  const host = hostOf(testAgent({ model: scriptedModel([...calls, [say('done')]]), tools: [page] }))
  const run = await host.engine.drive(await host.engine.submit({ agent: 'tester', goal: 'read all' }))
  const room = roomFor(run, ROOT_SCOPE, { tokens: 1_000_000, window: WINDOW, refused: true })
  expect(room).toMatchObject({ kind: 'clear', calls: [...run.calls.keys()].slice(0, 3) })
})

import { type HandEvent, RunId, type Tool } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ANONYMOUS } from '../src/tasks/caller.js'
import { openService } from './support/open-service.js'
import { scriptedAgent } from './support/scripted-agent.js'

const COUNT = 60
const OPTIONS = { version: '1.0', signal: new AbortController().signal } as const

/** Asks the caller, and gives the answer back. */
const ask: Tool = {
  name: 'ask',
  description: 'Asks.',
  input: { json: { type: 'object' }, check: (value) => ({ ok: true, value }) },
  effect: 'pure',
  origin: { kind: 'function', name: 'ask' },
  async *run(_, { answers: [answer] }): AsyncGenerator<HandEvent> {
    if (answer === undefined)
      yield { kind: 'needs-input', needs: [{ key: 'q', kind: 'question', prompt: 'Which?', resume: null }] }
    else yield { kind: 'result', content: [{ kind: 'text', text: String(answer.answer) }] }
  },
}

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a task that waits for its caller has no timer and no lease, and any process may take the answer', async () => {
  const turns = Array.from({ length: COUNT }, () => [{ kind: 'tool-call' as const, name: 'ask', args: {} }])
  const { agent } = scriptedAgent(turns, { tools: [ask] })
  const { service, store } = openService(() => agent)
  const message = (text: string, taskId?: string) =>
    ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...(taskId === undefined ? {} : { taskId }) }) as const
  const before = timers()
  const ids: string[] = []
  for (let n = 0; n < COUNT; n++) {
    const sent = await service.send(ANONYMOUS, { message: message('go') }, OPTIONS)
    if (!('task' in sent) || sent.task.status.state !== 'TASK_STATE_INPUT_REQUIRED') throw new Error('It did not park.')
    ids.push(sent.task.id)
  }
  expect(timers()).toBeLessThanOrEqual(before)
  for (const id of ids) expect(store.leases.acquire(RunId(id), 'another process', 1)).toBe(true)
  expect(store.abandoned('a2a')).toEqual([])

  for (const id of ids) store.leases.release(RunId(id), 'another process')
  const answered = await service.send(ANONYMOUS, { message: message('this one', ids[0]) }, OPTIONS)
  expect(answered).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } })
})

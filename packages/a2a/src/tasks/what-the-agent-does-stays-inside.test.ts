import { RequestId, type Tool, text } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { ANONYMOUS } from './caller.js'

const SEND = { version: '1.0', signal: new AbortController().signal } as const
const message = (said: string) => ({ messageId: 'm1', role: 'ROLE_USER', parts: [{ text: said }] }) as const

const spend: Tool = {
  name: 'spend_secret_budget',
  description: 'Spends.',
  input: { json: { type: 'object' }, check: (value) => ({ ok: true, value }) },
  effect: 'once',
  origin: { kind: 'function', name: 'purse' },
  run: () => ({ kind: 'result', content: [text('internal receipt 4711')] }),
}

test('tools, their results and thoughts do not reach the caller', async () => {
  const { agent } = scriptedAgent(
    [
      [
        { kind: 'reasoning', text: 'I will cheat.', seal: 'none' },
        { kind: 'text', text: 'Let me look into the purse.' },
        { kind: 'tool-call', name: 'spend_secret_budget', args: { sum: 3 } },
      ],
      [{ kind: 'text', text: 'It is paid.' }],
    ],
    { tools: [spend] },
  )
  const { service } = openService(() => agent)
  const events = []
  for await (const placed of service.stream(ANONYMOUS, { message: message('pay') }, SEND)) events.push(placed.event)
  expect(JSON.stringify(events)).not.toMatch(/purse|spend|4711|cheat/)
  expect(events).toContainEqual({
    artifactUpdate: expect.objectContaining({
      artifact: expect.objectContaining({ parts: [{ text: 'It is paid.' }] }),
    }),
  })
})

test('what a hand wants to know of those who run the agent is not put to the caller', async () => {
  const pinned: Tool = {
    ...spend,
    async *run(_, { answers }) {
      const [answer] = answers
      if (answer === undefined)
        yield {
          kind: 'needs-input',
          needs: [{ key: 'pin', kind: 'question', prompt: 'Has the purse changed?', resume: null, forHost: true }],
        }
      else yield { kind: 'result', content: [text(`it was said: ${answer.answer}`)] }
    },
  }
  const { agent } = scriptedAgent(
    [[{ kind: 'tool-call', name: 'spend_secret_budget', args: {} }], [{ kind: 'text', text: 'It is paid.' }]],
    { tools: [pinned] },
  )
  const { service, engine, store } = openService(() => agent)
  const configuration = { returnImmediately: true } as const
  const sent = await service.send(ANONYMOUS, { message: message('pay'), configuration }, SEND)
  const id = 'task' in sent ? sent.task.id : ''
  const runId = service.runOf(ANONYMOUS, id)
  await engine.drive(runId)
  const task = await service.get(ANONYMOUS, { id })
  expect(task.status.state).toBe('TASK_STATE_WORKING')
  expect(JSON.stringify(task)).not.toContain('purse')

  await service.send(ANONYMOUS, { message: { ...message('yes'), messageId: 'm2', taskId: id }, configuration }, SEND)
  const [open] = store.runs.openInputs({ runId })
  expect(open?.request.prompt).toBe('Has the purse changed?')
  await engine.answer(runId, open?.request.requestId ?? RequestId(''), 'no')
  await engine.drive(runId)
  expect((await service.get(ANONYMOUS, { id })).status.state).toBe('TASK_STATE_COMPLETED')
})

test('an approval is asked of those who run the agent: for the caller the task works on', async () => {
  const { agent } = scriptedAgent([[{ kind: 'tool-call', name: 'spend_secret_budget', args: {} }]], {
    tools: [spend],
    policy: { rules: [], otherwise: 'ask' },
  })
  const { service, engine, store } = openService(() => agent)
  const sent = await service.send(
    ANONYMOUS,
    { message: message('pay'), configuration: { returnImmediately: true } },
    SEND,
  )
  const id = 'task' in sent ? sent.task.id : ''
  const runId = service.runOf(ANONYMOUS, id)
  await engine.drive(runId)
  expect((await service.get(ANONYMOUS, { id })).status).toMatchObject({ state: 'TASK_STATE_WORKING' })

  const [open] = store.runs.openInputs({ runId })
  if (open === undefined) throw new Error('nothing was asked')
  // What the caller says now is word for the run, not consent.
  await service.send(
    ANONYMOUS,
    { message: { ...message('yes, approve'), taskId: id }, configuration: { returnImmediately: true } },
    SEND,
  )
  expect(store.runs.openInputs({ runId })).toHaveLength(1)
  await engine.answer(runId, open.request.requestId, { kind: 'approve' })
  await engine.drive(runId)
  expect((await service.get(ANONYMOUS, { id })).status.state).toBe('TASK_STATE_COMPLETED')
})

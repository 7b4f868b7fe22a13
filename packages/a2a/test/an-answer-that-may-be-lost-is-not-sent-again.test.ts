import { expect, test } from 'vitest'
import { keptPorts } from '../src/cases/kept-ports.js'
import { delegator } from './support/delegator.js'
import { hostile, opened, type Rpc, reply, WORKING } from './support/scripted-peer.js'

const ASKING = {
  ...WORKING,
  status: {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { messageId: 'q-1', role: 'ROLE_AGENT', parts: [{ text: 'Which blue?' }] },
  },
}
const DONE = {
  ...WORKING,
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'all blue' }] }],
}

/** Takes the brief, asks, and never replies to the first answer; `arrived` says whether it took it all the same. */
async function mute(arrived: boolean) {
  const answers: string[] = []
  let reached: () => void = () => undefined
  const sent = new Promise<void>((resolve) => {
    reached = resolve
  })
  const peer = await hostile(
    (rpc: Rpc, response) => {
      const message = rpc.params.message as unknown as { taskId?: string; parts: { text: string }[] } | undefined
      if (rpc.method === 'GetTask') reply(rpc, response, answers.length > (arrived ? 0 : 1) ? DONE : ASKING)
      else if (message?.taskId === undefined) reply(rpc, response, { task: ASKING })
      else {
        answers.push(message.parts[0]?.text ?? '')
        if (answers.length === 1) reached()
        else reply(rpc, response, { task: DONE })
      }
    },
    () => ({ capabilities: {} }),
  )
  return { ...peer, answers, sent }
}

async function killedWhileAnswering(arrived: boolean) {
  const script = await mute(arrived)
  const ports = keptPorts()
  const first = opened(delegator(script.peer, { ports, brief: 'paint' }))
  const runId = await first.start('paint')
  const parked = await first.engine.drive(runId)
  const [asked] = parked.inputs.values()
  await first.engine.answer(runId, asked!.requestId, 'navy')
  await script.sent
  await first.close()
  return { ...script, runId, second: opened(delegator(script.peer, { ports, brief: 'paint' })) }
}

test('the peer took it: the next process sees that and goes on', async () => {
  const { second, runId, answers } = await killedWhileAnswering(true)
  expect((await second.engine.drive(runId)).state).toBe('completed')
  expect(await second.text(runId)).toBe('all blue')
  expect(answers).toEqual(['navy'])
})

test('the peer still asks: the person is asked again, and told why', async () => {
  const { second, runId, answers } = await killedWhileAnswering(false)
  const parked = await second.engine.drive(runId)
  expect(parked.state).toBe('input-required')
  const [again] = parked.inputs.values()
  expect(again?.prompt).toBe('Your answer may not have arrived. hostile asks: Which blue?')
  expect(answers).toEqual(['navy'])
  await second.engine.answer(runId, again!.requestId, 'navy, as I said')
  expect((await second.engine.drive(runId)).state).toBe('completed')
  expect(answers).toEqual(['navy', 'navy, as I said'])
})

import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Author } from '../content/block.js'

const FIRST: Author = { provider: 'anthropic', model: 'a', dialect: 'anthropic-messages' }
const SECOND: Author = { provider: 'openai', model: 'b', dialect: 'openai-responses' }

test('another model goes on with the history; every block still says who wrote it, and the journal who was asked', async () => {
  const thought = { kind: 'reasoning', text: 'hm', seal: 'signature', raw: { signature: 's' }, author: FIRST } as const
  const first = scriptedModel([[thought, { ...callTool('pay'), author: FIRST } as never]], { author: FIRST })
  const second = scriptedModel([[say('done')]], { author: SECOND })
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const policy = { rules: [], otherwise: 'ask' } as const
  const host = hostOf(testAgent({ model: first, tools: [pay], policy }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await host.engine.drive(runId)
  await host.engine.close()

  const later = hostOf(testAgent({ model: second, tools: [pay], policy }), host.ports)
  await later.engine.answer(runId, [...asked.inputs.keys()][0] as never, { kind: 'approve' })
  const run = await later.engine.drive(runId)

  expect(run.state).toBe('completed')
  expect(second.requests[0]?.messages[1]?.blocks).toEqual([
    thought,
    expect.objectContaining({ kind: 'tool-call', callId: 't1.2', author: FIRST }),
  ])
  const asks = later.events(runId).flatMap((event) => (event.kind === 'turn-began' ? [event.model.provider] : []))
  expect(asks).toEqual(['anthropic', 'openai'])
})

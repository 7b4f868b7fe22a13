import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { manifestsOf } from '../../test/support/manifests.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { ROOT_SCOPE } from '../content/ids.js'
import { HOST } from '../content/provenance.js'
import type { ModelRequest } from '../ports/model.js'
import { RunState } from '../run/state.js'

const bytes = ({ system, tools, messages }: ModelRequest): string =>
  JSON.stringify({ system, tools, messages }).slice(0, -2)

test('each view is the last one plus what was appended, byte for byte, also over a restart and with a word of the user', async () => {
  const tool = testTool('look', ({ n }) => result(`saw ${n}`))
  const frame = [
    { partId: 'system', kind: 'system-prompt', provenance: HOST, text: 'You look.' },
    { partId: 'agents', kind: 'instructions', provenance: HOST, text: 'Look twice.' },
  ] as const
  const model = scriptedModel((_, turn) => (turn < 6 ? [callTool('look', { n: turn })] : [say('done')]))
  const agent = testAgent({ model, tools: [tool], frame, limits: { steps: 3 } })
  const host = hostOf(agent)
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go', limits: { steps: 50 } })
  for await (const item of host.engine.follow(runId))
    if (item.kind === 'event' && item.event.kind === 'turn-ended' && item.event.turnId === 't2') break
  await host.engine.close()
  const second = hostOf(agent, host.ports)
  await second.engine.tell(runId, 'and hurry').catch(() => undefined)
  await second.engine.drive(runId)

  const sent = model.requests.map(bytes)
  for (const [index, later] of sent.slice(1).entries()) expect(later.startsWith(sent[index] as string)).toBe(true)
})

test('the manifest says what was sent: parts in order, sums that add up, equal digests for equal views', async () => {
  const tool = testTool('look', () => result('saw it'))
  const model = scriptedModel([[callTool('look')], [say('done')]])
  const host = hostOf(
    testAgent({
      model,
      tools: [tool],
      frame: [{ partId: 'system', kind: 'system-prompt', provenance: HOST, text: 'You look.' }],
    }),
  )
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  await host.engine.drive(runId)
  const views = host.events(runId).flatMap((event) => (event.kind === 'turn-began' ? [event.view] : []))
  const told = manifestsOf(host.events(runId))
  expect(told.map((entries) => entries.map(({ kind }) => kind))).toEqual([
    ['system-prompt', 'tool-definitions', 'prompt'],
    ['system-prompt', 'tool-definitions', 'prompt', 'history', 'tool-outputs'],
  ])
  expect(views.map(({ tokens }) => tokens)).toEqual(
    told.map((entries) => entries.reduce((sum, { tokens }) => sum + tokens, 0)),
  )
  const [first, second] = told
  expect(first?.[0]?.digest).toBe(second?.[0]?.digest)
  expect(first?.[2]?.digest).not.toBe(second?.[2]?.digest)
})

test('reasoning with a signature goes back byte for byte after the journal was written and read', async () => {
  const raw = { type: 'thinking', thinking: 'hm  ', signature: 'Eq+/=="\\u0000' }
  const author = { provider: 'anthropic', model: 'm', dialect: 'anthropic-messages' }
  const thought = { kind: 'reasoning', text: 'hm  ', seal: 'signature', raw, author } as const
  const tool = testTool('look', () => result('ok'), { effect: 'once' })
  const model = scriptedModel((request) =>
    request.messages.some(({ role }) => role === 'tool') ? [say('done')] : [thought, callTool('look')],
  )
  const host = hostOf(testAgent({ model, tools: [tool], policy: { rules: [], otherwise: 'ask' } }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const asked = await host.engine.drive(runId)
  await host.engine.close()
  const restored = JSON.parse(JSON.stringify(host.events(runId)))
  const journal = {
    ...host.ports.journal,
    load: (_: unknown, after = 0) => [...restored, ...host.events(runId).slice(restored.length)].slice(after),
  }
  const second = hostOf(testAgent({ model, tools: [tool], policy: { rules: [], otherwise: 'ask' } }), {
    ...host.ports,
    journal,
  })
  await second.engine.answer(runId, [...asked.inputs.keys()][0] as never, { kind: 'approve' })
  await second.engine.drive(runId)
  const back = model.requests.at(-1)?.messages[1]
  expect(back?.blocks[0]).toEqual(thought)
  expect(JSON.stringify(back?.blocks[0])).toBe(JSON.stringify(thought))
})

test('a fold of the written journal is the run that wrote it', async () => {
  const tool = testTool('look', () => result('ok'))
  const model = scriptedModel([[callTool('look'), callTool('nope')], [say('done')]])
  const host = hostOf(testAgent({ model, tools: [tool] }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const run = await host.engine.drive(runId)
  const again = RunState.of(JSON.parse(JSON.stringify(host.events(runId))))
  for (const fact of ['state', 'seq', 'turns', 'calls', 'steps', 'parts', 'totals', 'inputs'] as const)
    expect(again[fact]).toEqual(run[fact])
  expect(again.scope(ROOT_SCOPE).transcript.messages).toEqual(run.scope(ROOT_SCOPE).transcript.messages)
})

import { expect, test } from 'vitest'
import { hostOf, memoryPorts, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { RunEvent } from './events.js'
import { RunState } from './state.js'

async function eventsOfARun(): Promise<readonly RunEvent[]> {
  const tools = [testTool('look', () => result('seen'))]
  const { engine, events } = hostOf(testAgent({ model: scriptedModel([[callTool('look')], [say('done')]]), tools }))
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await engine.drive(runId)
  return events(runId)
}

test('each event that is missing, doubled or out of its place is noticed', async () => {
  const events = await eventsOfARun()
  for (const at of events.keys()) {
    if (at < events.length - 1) expect(() => RunState.of(events.toSpliced(at, 1))).toThrow(/journal has a gap/)
    expect(() => RunState.of(events.toSpliced(at, 0, events[at] as RunEvent))).toThrow(/journal has a gap/)
  }
  expect(() => RunState.of(events.toReversed())).toThrow(expect.objectContaining({ code: 'journal-unreadable' }))
})

test('an event about something that was never made is named', async () => {
  const events = await eventsOfARun()
  const begun = events.find(({ kind }) => kind === 'turn-began') as RunEvent
  const stray = { ...events[begun.seq], turnId: 't9' } as RunEvent
  expect(() => RunState.of(events.with(begun.seq, stray))).toThrow(
    expect.objectContaining({ code: 'journal-unreadable', message: 'The journal names turn t9 before it is made.' }),
  )
})

test('an event of a newer version is named, with what to do', async () => {
  const events = await eventsOfARun()
  const foreign = { ...events[1], kind: 'soul-searched' } as unknown as RunEvent
  expect(() => RunState.of(events.with(1, foreign))).toThrow(/kind soul-searched; a newer Tenon wrote it/)
})

test('a run of such a journal is not driven on', async () => {
  const events = await eventsOfARun()
  const ports = memoryPorts()
  let asked = 0
  const model = scriptedModel(() => {
    asked++
    return [say('done')]
  })
  const journal = { ...ports.journal, load: () => events.slice(0, 6).toSpliced(2, 1) }
  const { engine } = hostOf(testAgent({ model }), { ...ports, journal })
  await expect(engine.drive('run_1' as never)).rejects.toMatchObject({ code: 'journal-unreadable' })
  expect(asked).toBe(0)
})

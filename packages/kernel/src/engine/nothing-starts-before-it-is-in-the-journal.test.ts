import { setImmediate as aMoment } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import { memoryJournal } from '../memory/memory-journal.js'
import type { Journal } from '../ports/journal.js'
import type { RunEvent } from '../run/events.js'

type Write = (write: () => void, events: readonly RunEvent[]) => void | Promise<void>

/** A journal of which is known what stands in it at each moment, and which appends were to be synced. */
function watched(append: Write = (write) => write()) {
  const inner = memoryJournal()
  const written: RunEvent[] = []
  const synced: (readonly string[])[] = []
  const journal: Journal = {
    load: inner.load,
    append(runId, events, sync) {
      return append(() => {
        inner.append(runId, events, sync)
        written.push(...events)
        if (sync) synced.push(kinds(events))
      }, events)
    },
  }
  return { journal, written, synced }
}

const kinds = (events: readonly RunEvent[]): readonly string[] => events.map(({ kind }) => kind)

test.each([
  ['at once', undefined],
  [
    'by promise',
    async (write: () => void) =>
      Promise.resolve()
        .then(() => Promise.resolve())
        .then(write),
  ],
] as const)(
  'a journal that answers %s has the turn before the model is asked and the call before its tool runs',
  async (_, append) => {
    const { journal, written } = watched(append)
    const seen: Record<string, readonly string[]> = {}
    const pay = testTool('pay', () => {
      seen.tool = kinds(written)
      return result('paid')
    })
    const model = scriptedModel((_request, turn) => {
      seen[`model ${turn}`] = kinds(written)
      return turn === 1 ? [callTool('pay')] : [say('done')]
    })
    const { engine } = hostOf(testAgent({ model, tools: [pay] }), { journal })
    await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
    expect(seen['model 1']?.at(-1)).toBe('turn-began')
    expect(seen.tool?.at(-1)).toBe('call-begun')
    expect(seen['model 2']?.filter((kind) => kind === 'call-settled' || kind === 'turn-began')).toEqual([
      'turn-began',
      'call-settled',
      'turn-began',
    ])
  },
)

test('what must not happen twice is synced to the disk before it happens, and nothing else waits for that', async () => {
  const { journal, synced } = watched()
  const look = testTool('look', () => result('seen'))
  const pay = testTool('pay', () => result('paid'), { effect: 'once' })
  const model = scriptedModel([[callTool('look')], [callTool('pay')], [say('done')]])
  const { engine } = hostOf(testAgent({ model, tools: [look, pay] }), { journal })
  await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(synced).toHaveLength(1)
  expect(synced[0]).toContain('call-begun')
})

test('a tool does not run whose beginning could not be written', async () => {
  let runs = 0
  const { journal, written } = watched(async (write, events) => {
    await aMoment()
    if (kinds(events).includes('call-begun')) throw new Error('disk full')
    write()
  })
  const pay = testTool('pay', () => {
    runs++
    return result('paid')
  })
  const { engine } = hostOf(testAgent({ model: scriptedModel([[callTool('pay')], [say('done')]]), tools: [pay] }), {
    journal,
  })
  const runId = await engine.submit({ agent: 'tester', goal: 'go' })
  await expect(engine.drive(runId)).rejects.toThrow('disk full')
  expect(runs).toBe(0)
  expect(kinds(written)).not.toContain('call-begun')
})

import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { say, scriptedModel, USAGE } from '../../test/support/scripted-model.js'
import { RunId } from '../content/ids.js'
import { memoryJournal } from '../memory/memory-journal.js'
import type { Planner } from '../planner/command.js'
import type { Journal } from '../ports/journal.js'

const RUN = RunId('run_1')
const GOAL = { agent: 'tester', goal: 'go', runId: RUN }
const answers = () => scriptedModel([[say('done')]])

/** `full` while the disk is: its appends fail, at once or by promise. */
function fillable(how: 'at once' | 'by promise') {
  const inner = memoryJournal()
  const disk = { full: false, appends: [] as string[][] }
  const append: Journal['append'] = (runId, events, sync) => {
    if (disk.full) throw new Error('disk full')
    disk.appends.push(events.map(({ kind }) => kind))
    return inner.append(runId, events, sync)
  }
  const later: Journal['append'] = async (...of) => append(...of)
  return { disk, journal: { load: inner.load, append: how === 'at once' ? append : later } }
}

test.each(['at once', 'by promise'] as const)('a run and its first turn are one append, %s', async (how) => {
  const { disk, journal } = fillable(how)
  const { engine } = hostOf(testAgent({ model: answers() }), { journal })
  const run = await engine.drive(await engine.submit(GOAL))
  expect(run.ended?.state).toBe('completed')
  expect(disk.appends[0]?.[0]).toBe('run-submitted')
  expect(disk.appends[0]?.at(-1)).toBe('turn-began')
})

test.each(['at once', 'by promise'] as const)(
  'a run that cannot be written is refused, and asks no model, %s',
  async (how) => {
    const { disk, journal } = fillable(how)
    disk.full = true
    let asked = 0
    const model = scriptedModel(() => {
      asked++
      return [say('done')]
    })
    const { engine } = hostOf(testAgent({ model }), { journal })
    await expect(async () => engine.submit(GOAL)).rejects.toThrow('disk full')
    expect(asked).toBe(0)
    disk.full = false
    // Nothing is left of it, so the same id is free.
    const run = await engine.drive(await engine.submit(GOAL))
    expect(run.ended?.state).toBe('completed')
  },
)

test.each(['at once', 'by promise'] as const)(
  'a run whose planner fails at once is there for whoever mends the planner, %s',
  async (how) => {
    const { disk, journal } = fillable(how)
    const broken: Planner = {
      name: 'broken',
      version: 1,
      next() {
        throw new Error('no plan')
      },
    }
    const { engine } = hostOf(testAgent({ model: answers(), planner: broken }), { journal })
    expect(await engine.submit(GOAL)).toBe(RUN)
    expect(disk.appends).toEqual([['run-submitted']])
    await expect(engine.drive(RUN)).rejects.toThrow('no plan')
  },
)

test('a second run with the id of one at work is refused, and the first goes on', async () => {
  const { journal } = fillable('at once')
  let finish = (): void => undefined
  const told = new Promise<void>((resolve) => {
    finish = resolve
  })
  const model = scriptedModel([
    async function* () {
      await told
      yield { kind: 'block-ended', index: 0, block: say('done') }
      yield { kind: 'finished', finish: 'stop', usage: USAGE, diagnostics: [] }
    },
  ])
  const { engine } = hostOf(testAgent({ model }), { journal })
  await engine.submit(GOAL)
  await expect(async () => engine.submit(GOAL)).rejects.toMatchObject({ code: 'journal-conflict' })
  finish()
  expect((await engine.drive(RUN)).ended?.state).toBe('completed')
})

import { type RunEvent, type RunEventBody, RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { ended, numbered, submitted, turnBegan, turnEnded } from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'

const RUN = RunId('run_1')
const TURNS = 1_200

/** The whole history of a run at once, as a fork of it is written. */
const history = (): RunEvent[] =>
  numbered([
    submitted(),
    ...Array.from({ length: TURNS }, (_, turn): RunEventBody[] => [
      turnBegan(`t${turn + 1}`),
      turnEnded(`t${turn + 1}`),
    ]).flat(),
  ])

test('any page of it is what was appended, and its sums are in the list', () => {
  const store = openForTest({ dir: temporaryFolder() })
  const events = history()
  store.journal.append(RUN, events, false)
  for (const [after, limit] of [
    [0, 10],
    [495, 10],
    [499, 1],
    [500, 600],
    [2_390, 1_000],
    [2_401, 5],
  ] as const)
    expect(store.journal.load(RUN, after, limit)).toEqual(events.slice(after, after + limit))
  expect(store.runs.get(RUN)).toMatchObject({ state: 'working', turns: TURNS, tokens: TURNS * 130, cost: TURNS * 0.25 })
  expect(() => store.journal.append(RUN, numbered([ended()], 501), false)).toThrow(
    expect.objectContaining({ code: 'journal-conflict' }),
  )
  store.journal.append(RUN, numbered([ended()], events.length + 1), false)
  expect(store.runs.get(RUN)).toMatchObject({ state: 'completed', turns: TURNS })
})

test('of one that fails nothing is kept', () => {
  const store = openForTest({ dir: temporaryFolder() })
  store.journal.append(RUN, numbered([submitted()]), false)
  const events = history().slice(1)
  // What cannot be written stands in the last of its rows.
  const unwritable = { ...events.at(-1), diagnostics: [1n] } as unknown as RunEvent
  expect(() => store.journal.append(RUN, [...events.slice(0, -1), unwritable], false)).toThrow(TypeError)
  expect(store.journal.load(RUN)).toHaveLength(1)
  store.journal.append(RUN, events, false)
  expect(store.journal.load(RUN)).toHaveLength(history().length)
})

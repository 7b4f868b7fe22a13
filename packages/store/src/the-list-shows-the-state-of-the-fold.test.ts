import { type RunEventBody, RunId, RunState } from '@tenon/kernel'
import { expect, test } from 'vitest'
import {
  answered,
  asked,
  begun,
  called,
  ended,
  numbered,
  proposed,
  settled,
  submitted,
  turnBegan,
  turnEnded,
} from '../test/run-events.js'
import { openForTest, temporaryFolder } from '../test/temporary-folder.js'

const RUN = RunId('run_1')
const twoCalls = [
  submitted(),
  turnBegan(),
  called('t1.0'),
  called('t1.1'),
  turnEnded(),
  proposed('t1.0'),
  proposed('t1.1'),
]

const STORIES: readonly (readonly [name: string, events: readonly RunEventBody[]])[] = [
  ['a run without calls', [submitted(), turnBegan(), turnEnded(), ended()]],
  ['a run that fails before its first turn', [submitted(), ended('failed', 'agent-unknown')]],
  ['word that comes after the end', [submitted(), turnBegan(), ended('canceled'), turnEnded(), turnBegan('t2')]],
  [
    'an approval while a sibling goes on',
    [...twoCalls, begun('t1.1'), asked('q1', 't1.0'), settled('t1.1'), answered('q1'), begun('t1.0'), settled('t1.0')],
  ],
  [
    'two approvals, answered in reverse order',
    [
      ...twoCalls,
      asked('q1', 't1.0'),
      asked('q2', 't1.1'),
      answered('q2'),
      begun('t1.1'),
      settled('t1.1'),
      answered('q1'),
    ],
  ],
  [
    'a question of a hand, whose answer has not reached it yet',
    [
      ...twoCalls,
      begun('t1.0'),
      settled('t1.1'),
      asked('q1', 't1.0', 'question', 'name'),
      asked('q2', 't1.0', 'question', 'colour'),
      answered('q1'),
      begun('t1.0', 2),
      answered('q2', 'withdrawn'),
    ],
  ],
  [
    'a log-in that is asked for alone and beside an approval',
    [
      ...twoCalls,
      settled('t1.1'),
      begun('t1.0'),
      asked('q1', 't1.0', 'auth', 'login'),
      asked('q2', 't1.0'),
      answered('q2'),
    ],
  ],
  [
    'an end with an open request',
    [...twoCalls, asked('q1', 't1.0'), settled('t1.0'), settled('t1.1'), ended('canceled')],
  ],
]

test.each(STORIES)('%s', (_name, bodies) => {
  const events = numbered(bodies)
  const dir = temporaryFolder()
  const store = openForTest({ dir })
  for (const [index, event] of events.entries()) {
    store.journal.append(RUN, [event], false)
    expect([event.kind, store.runs.get(RUN)?.state]).toEqual([
      event.kind,
      RunState.of(events.slice(0, index + 1)).state,
    ])
  }
})

test.each(STORIES)('%s, each event by a store that has just opened', (_name, bodies) => {
  const events = numbered(bodies)
  const dir = temporaryFolder()
  for (const [index, event] of events.entries()) {
    const store = openForTest({ dir })
    store.journal.append(RUN, [event], false)
    expect([event.kind, store.runs.get(RUN)?.state]).toEqual([
      event.kind,
      RunState.of(events.slice(0, index + 1)).state,
    ])
    store.close()
  }
})

test('word after the end leaves the end as it was told', () => {
  const store = openForTest({ dir: temporaryFolder() })
  store.journal.append(RUN, numbered([...twoCalls, asked('q1', 't1.0'), ended('failed', 'limit-reached')]), false)
  const told = store.runs.get(RUN)
  store.journal.append(RUN, numbered([answered('q1'), settled('t1.0'), settled('t1.1')], 10), false)
  expect(store.runs.get(RUN)).toMatchObject({ state: 'failed', errorCode: 'limit-reached', endedAt: told?.endedAt })
  expect(store.journal.load(RUN)).toHaveLength(12)
})

test('an append that is refused leaves the state as it was', () => {
  const store = openForTest({ dir: temporaryFolder() })
  store.journal.append(RUN, numbered([...twoCalls]), false)
  const stale = numbered([asked('q1', 't1.0'), settled('t1.1')], 5)
  expect(() => store.journal.append(RUN, stale, false)).toThrow(/another process/)
  expect(store.runs.get(RUN)).toMatchObject({ state: 'working', openInputs: 0 })
  expect(store.runs.openInputs()).toEqual([])
  store.journal.append(RUN, numbered([settled('t1.1'), asked('q1', 't1.0')], 8), false)
  expect(store.runs.get(RUN)).toMatchObject({ state: 'input-required', openInputs: 1 })
})

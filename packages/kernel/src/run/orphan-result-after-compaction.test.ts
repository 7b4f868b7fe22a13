import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { AUTHOR, callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { ModelBlock } from '../content/block.js'
import { History } from '../content/history.js'
import { ROOT_SCOPE } from '../content/ids.js'
import type { Message } from '../content/message.js'
import { HOST } from '../content/provenance.js'
import type { Rewrite } from '../ledger/part.js'
import type { RunEvent } from './events.js'
import { RunState } from './state.js'

const thought: ModelBlock = {
  kind: 'reasoning',
  text: 'hm',
  seal: 'signature',
  author: AUTHOR,
  raw: { signature: 's' },
}

/** The events of a run of four turns with calls, up to its answer. */
async function longRun(): Promise<readonly RunEvent[]> {
  const look = testTool('look', ({ n }) => result(`found ${n}`))
  const turn = (n: number): readonly ModelBlock[] => [thought, callTool('look', { n }), callTool('look', { n: n + 1 })]
  const model = scriptedModel([turn(0), turn(2), turn(4), turn(6), [say('done')]])
  const { engine, events } = hostOf(testAgent({ model, tools: [look] }))
  const runId = await engine.submit({ agent: 'tester', goal: 'find all' })
  await engine.drive(runId)
  return events(runId).filter(({ kind }) => kind !== 'run-ended')
}

const messagesOf = (run: RunState): readonly Message[] => run.scope(ROOT_SCOPE).transcript.messages

function rewritten(run: RunState, rewrite: Rewrite): readonly Message[] {
  run.apply({ seq: run.seq + 1, at: run.at, kind: 'view-rewritten', scope: ROOT_SCOPE, rewrite })
  return messagesOf(run)
}

const summary = (before: number): Rewrite => ({
  kind: 'summarise',
  before,
  summary: 'what was found until then',
  provenance: HOST,
  freedTokens: 0,
})

test('a summary that would leave a result without its call is refused, and the history stays as it was', async () => {
  const events = await longRun()
  const whole = messagesOf(RunState.of(events))
  const refused: number[] = []
  for (let before = 1; before < whole.length; before++) {
    const run = RunState.of(events)
    const [first, ...rest] = whole.slice(before)
    if (first?.role === 'tool') {
      refused.push(before)
      expect(() => rewritten(run, summary(before))).toThrow(expect.objectContaining({ code: 'history-orphan' }))
      const kept = messagesOf(run)
      expect(kept.slice(0, whole.length)).toEqual(whole)
    } else {
      const left = rewritten(run, summary(before))
      expect(History.of(left).messages).toEqual(left)
      expect(left[0]).toMatchObject({ role: 'user', blocks: [{ kind: 'text', text: 'what was found until then' }] })
      // Signed thoughts are kept whole or go whole.
      expect(left.slice(1, rest.length + 2)).toEqual([first, ...rest])
    }
  }
  expect(refused).toEqual([2, 4, 6, 8])
})

test('two summaries one after the other leave no orphan either', async () => {
  const run = RunState.of(await longRun())
  rewritten(run, summary(3))
  const left = rewritten(run, summary(3))
  expect(left.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
  expect(() => rewritten(run, summary(2))).toThrow(expect.objectContaining({ code: 'history-orphan' }))
})

test('an output that was offloaded keeps its place and says where it is now', async () => {
  const run = RunState.of(await longRun())
  const callId = [...run.calls.keys()][2] as never
  const left = rewritten(run, { kind: 'offload', calls: [{ callId, artifactId: 'sha256:abc' }], freedTokens: 9 })
  const results = left.flatMap((message) => (message.role === 'tool' ? message.blocks : []))
  expect(results).toHaveLength(8)
  expect(JSON.stringify(results[2]?.content)).toContain('read_artifact with sha256:abc has it whole')
  expect(JSON.stringify(results[3]?.content)).toContain('found 3')
})

import { expect, test } from 'vitest'
import { ROOT_SCOPE } from '../src/content/ids.js'
import type { Planner } from '../src/planner/command.js'
import { react, reactIn } from '../src/planner/react.js'
import { hostOf, testAgent } from './support/host.js'
import { say, scriptedModel } from './support/scripted-model.js'
import { result, testTool } from './support/tools.js'

/** Looks once before the model is asked for the first time. */
const lookFirst: Planner = {
  name: 'look-first',
  version: 1,
  next: (run) =>
    run.lastTurn() === undefined
      ? [{ kind: 'write', scope: ROOT_SCOPE, purpose: 'plan', blocks: [{ tool: 'look', args: {} }] }]
      : react().next(run),
}

test('the planner of the README writes a turn of its own; its name and version stand in the journal', async () => {
  const model = scriptedModel([[say('done')]])
  const look = testTool('look', () => result('a lake'))
  const host = hostOf(testAgent({ model, tools: [look], planner: lookFirst }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const run = await host.engine.drive(runId)
  expect(run.state).toBe('completed')
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('a lake')
  expect(host.events(runId)[0]).toMatchObject({ planner: { name: 'look-first', version: 1 } })
})

test('a planner with nothing to do is a failure with a name, not a hang', async () => {
  const idle: Planner = { name: 'idle', version: 1, next: () => [] }
  const { engine } = hostOf(testAgent({ model: scriptedModel([]), planner: idle }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'go' }))
  expect(run.ended?.error?.code).toBe('planner-stuck')
})

test('a scope has a goal and a history of its own and closes with its result', async () => {
  const inner = 'inner' as typeof ROOT_SCOPE
  const scoped: Planner = {
    name: 'scoped',
    version: 1,
    next: (run) => {
      const scope = run.scopes.get(inner)
      if (!scope)
        return [
          {
            kind: 'open',
            scope: inner,
            parent: ROOT_SCOPE,
            goal: {
              role: 'user',
              blocks: [{ kind: 'text', text: 'part' }],
              provenance: { source: 'host', trust: 'host' },
            },
          },
        ]
      if (scope.closed) return [{ kind: 'finish', blocks: scope.closed.blocks }]
      return reactIn(run, inner)
    },
  }
  const model = scriptedModel([[say('part done')]])
  const { engine } = hostOf(testAgent({ model, planner: scoped }))
  const run = await engine.drive(await engine.submit({ agent: 'tester', goal: 'whole' }))
  expect(run.ended?.blocks).toEqual([{ kind: 'text', text: 'part done' }])
  expect(model.requests[0]?.messages).toMatchObject([{ blocks: [{ text: 'part' }] }])
})

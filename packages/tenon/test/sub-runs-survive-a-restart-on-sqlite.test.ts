import { join } from 'node:path'
import {
  type Agent,
  createEngine,
  type Engine,
  type RequestId,
  type RunId,
  runAgentTool,
  type Tool,
} from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { expect, test } from 'vitest'
import { tool } from '../src/tools/tool.js'
import { agentNamed, call, memoryPorts, say, scripted } from './kit/scripted-engine.js'
import { temporaryFolder } from './kit/temporary-folder.js'

const paid: string[] = []
const pay = tool({
  name: 'pay',
  description: 'Pays.',
  run: () => {
    paid.push('A')
    return 'paid A'
  },
})

/** A process of its own: a store and an engine with two agents, of which one may start the other. */
async function openProcess(dir: string) {
  const store = await openStore({ dir })
  let engine: Engine | undefined
  const start = runAgentTool({ engine: () => engine as Engine, agents: [{ name: 'child' }] })
  const agents: Readonly<Record<string, Agent>> = {
    parent: agentNamed('parent', scripted([call('run_agent', { agent: 'child', goal: 'pay A' })], [say('all done')]), [
      start as Tool,
    ]),
    child: {
      ...agentNamed('child', scripted([call('pay', {})], [say('A has been paid')]), [pay]),
      policy: { rules: [], otherwise: 'ask' },
    },
  }
  const { digest } = memoryPorts()
  const { journal, inbox, leases, grants, artifacts, holder } = store
  engine = createEngine({ journal, inbox, leases, grants, artifacts, holder, digest, agents: (name) => agents[name] })
  const running = engine
  return {
    engine,
    async close() {
      await running.close()
      await store.close()
    },
  }
}

test('a question of the child is answered on the parent by another process, which finishes both', async () => {
  const dir = join(temporaryFolder(), 'store')
  const first = await openProcess(dir)
  const runId = await first.engine.submit({ agent: 'parent', goal: 'go' })
  const asked = await first.engine.drive(runId)
  const [request] = [...asked.inputs.values()]
  expect(request).toMatchObject({ kind: 'approval', prompt: 'Run pay?' })
  await first.close()

  const second = await openProcess(dir)
  await second.engine.answer(runId, request?.requestId as RequestId, { kind: 'approve' })
  const run = await second.engine.drive(runId)
  expect(run.ended).toMatchObject({ state: 'completed', blocks: [{ text: 'all done' }] })
  expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'finished', content: [{ text: 'A has been paid' }] })
  expect(paid).toEqual(['A'])
  const child = await second.engine.state(request?.via?.runId as RunId)
  expect(child.state).toBe('completed')
  await second.close()
})

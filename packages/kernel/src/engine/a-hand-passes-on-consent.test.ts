import { expect, test } from 'vitest'
import { hostOf, testAgent } from '../../test/support/host.js'
import { callTool, say, scriptedModel } from '../../test/support/scripted-model.js'
import { result, testTool } from '../../test/support/tools.js'
import type { Policy } from '../broker/policy.js'
import type { HandEvent } from '../ports/tool.js'

const shell = testTool('shell', ({ command }) => result(`ran ${command}`), { effect: 'once' })
const trusted = testTool('trusted', async function* (): AsyncGenerator<HandEvent> {
  yield { kind: 'grant', tool: 'shell', pattern: { '/command': 'git *' } }
  yield { kind: 'grant', tool: 'shell', pattern: { '/command': 'git *' } }
  yield { kind: 'grant', tool: 'no_such_tool' }
  yield result('ok')
})

async function runOf(command: string, policy: Policy) {
  const model = scriptedModel([[callTool('trusted')], [callTool('shell', { command })], [say('done')]])
  const host = hostOf(testAgent({ model, tools: [shell, trusted], policy }))
  const runId = await host.engine.submit({ agent: 'tester', goal: 'go' })
  const run = await host.engine.drive(runId)
  return { run, grants: host.events(runId).filter(({ kind }) => kind === 'grant-added') }
}

test('a call in the pattern begins without a question; the grant stands once in the journal', async () => {
  const { run, grants } = await runOf('git log', { rules: [] })
  expect(run.state).toBe('completed')
  expect(grants).toHaveLength(1)
  expect(grants[0]).toMatchObject({ grant: { tool: 'shell', scope: 'run', grantedBy: 'trusted' } })
})

test('a call outside the pattern still asks', async () => {
  const { run } = await runOf('rm -rf /', { rules: [] })
  expect(run.state).toBe('input-required')
})

test('a policy that denies wins, and one that lets nothing be remembered takes no such consent', async () => {
  const denied = await runOf('git log', { rules: [{ disposition: 'deny', tool: 'shell' }] })
  expect([...denied.run.calls.values()].map(({ outcome }) => outcome)).toEqual(['finished', 'denied'])
  const asked = await runOf('git log', { rules: [], rememberAtMost: 'call' })
  expect(asked.run.state).toBe('input-required')
  expect(asked.grants).toHaveLength(0)
})

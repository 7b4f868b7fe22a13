import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, createEngine, type Engine } from '@tenon/kernel'
import { openStore, type Store } from '@tenon/store'
import { onTestFinished } from 'vitest'
import { PushDesk } from '../../src/push/push-desk.js'
import { SecretSeal } from '../../src/push/secret-seal.js'
import { type ExposedAgent, TASK_LIMITS } from '../../src/tasks/exposed-agent.js'
import { TaskService } from '../../src/tasks/task-service.js'

export type OpenService = { readonly service: TaskService; readonly engine: Engine; readonly store: Store }

/** The operations of A2A on an agent, over a store of their own that goes with the test. */
export function openService(
  agentOf: (store: Store) => Agent,
  terms: Partial<ExposedAgent> = {},
  allowed: readonly string[] = [],
): OpenService {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-a2a-'))
  const store = openStore({ dir })
  const agent = agentOf(store)
  const engine = createEngine({
    ...store,
    agents: (name) => (name === agent.name ? agent : undefined),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
  })
  onTestFinished(async () => {
    await engine.close()
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const push = new PushDesk({ targets: store.pushes, seal: new SecretSeal(new Uint8Array(32)), allowed })
  const exposed: ExposedAgent = {
    agent: agent.name,
    facts: { name: agent.name, description: 'For a test.', version: '1', skills: [] },
    capabilities: { streaming: true, pushNotifications: true },
    outputModes: ['text/plain'],
    whileWorking: 'queue',
    limits: TASK_LIMITS,
    ...terms,
  }
  return { service: new TaskService(exposed, { engine, store, push }), engine, store }
}

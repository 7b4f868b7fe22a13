import { createHash } from 'node:crypto'
import type { RunId } from '../../src/content/ids.js'
import type { Agent } from '../../src/engine/agent.js'
import { createEngine } from '../../src/engine/engine.js'
import type { Engine } from '../../src/engine/engine-api.js'
import type { EnginePorts } from '../../src/engine/ports.js'
import { memoryArtifacts } from '../../src/memory/memory-artifacts.js'
import { memoryGrants } from '../../src/memory/memory-grants.js'
import { memoryInbox } from '../../src/memory/memory-inbox.js'
import { memoryJournal } from '../../src/memory/memory-journal.js'
import { memoryLeases } from '../../src/memory/memory-leases.js'
import { react } from '../../src/planner/react.js'
import type { RunEvent } from '../../src/run/events.js'

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** The ports of a host that keeps everything in memory. Two engines over one of these are two processes. */
export function memoryPorts(): Omit<EnginePorts, 'agents'> {
  return {
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts(sha256),
    digest: (text) => `sha256:${sha256(text)}`,
  }
}

export function testAgent(parts: Pick<Agent, 'model'> & Partial<Agent>): Agent {
  return {
    name: 'tester',
    tools: [],
    planner: react(),
    policy: { rules: [], otherwise: 'allow' },
    frame: [],
    limits: {},
    ...parts,
  }
}

export type TestHost = {
  readonly engine: Engine
  readonly ports: Omit<EnginePorts, 'agents'>
  events(runId: RunId): readonly RunEvent[]
}

export function hostOf(agents: Agent | readonly Agent[], more: Partial<EnginePorts> = {}): TestHost {
  const all = Array.isArray(agents) ? (agents as readonly Agent[]) : [agents as Agent]
  const ports = { ...memoryPorts(), ...more }
  const engine = createEngine({ ...ports, agents: (name) => all.find((agent) => agent.name === name) })
  return { engine, ports, events: (runId) => ports.journal.load(runId) as readonly RunEvent[] }
}

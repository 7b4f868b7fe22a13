import { createHash } from 'node:crypto'
import {
  type Agent,
  createEngine,
  type Engine,
  type EnginePorts,
  type JsonObject,
  type Model,
  type ModelBlock,
  type ModelEvent,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  react,
  type Tool,
} from '@tenon/kernel'

const AUTHOR = { provider: 'script', model: 'script-1', dialect: 'script' }

export const call = (name: string, args: JsonObject): ModelBlock => ({ kind: 'tool-call', name, args, author: AUTHOR })
export const say = (text: string): ModelBlock => ({ kind: 'text', text, author: AUTHOR })

/** Says one line a turn, chosen by how many turns there were, so that a restart goes on where it was. */
export function scripted(...lines: readonly (readonly ModelBlock[])[]): Model {
  return {
    author: AUTHOR,
    contextWindow: 200_000,
    *generate({ messages }): Generator<ModelEvent> {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const blocks = lines[turn] ?? [say('done')]
      for (const [index, block] of blocks.entries()) yield { kind: 'block-ended', index, block }
      const finish = blocks.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop'
      yield { kind: 'finished', finish, usage: null, diagnostics: [] }
    },
  }
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** What is kept between two engines that stand for two processes. */
export const memoryPorts = (): Omit<EnginePorts, 'agents'> => ({
  journal: memoryJournal(),
  inbox: memoryInbox(),
  leases: memoryLeases(),
  grants: memoryGrants(),
  artifacts: memoryArtifacts(sha256),
  digest: (text) => `sha256:${sha256(text)}`,
})

/** An agent that may do everything. */
export const agentNamed = (name: string, model: Model, tools: readonly Tool[]): Agent => ({
  name,
  model,
  tools,
  planner: react(),
  policy: { rules: [], otherwise: 'allow' },
  frame: [],
  limits: {},
})

/** An engine with one agent, named `tester`. */
export function engineWith(model: Model, tools: readonly Tool[], ports = memoryPorts()): Engine {
  const agent = agentNamed('tester', model, tools)
  return createEngine({ ...ports, agents: (name) => (name === agent.name ? agent : undefined) })
}

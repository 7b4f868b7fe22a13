import { createHash } from 'node:crypto'
import {
  type CallState,
  type Clock,
  createEngine,
  type Engine,
  type EnginePorts,
  type Json,
  type Model,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  type Policy,
  plainText,
  type RunId,
  react,
  type Schema,
  type Tool,
} from '@tenon/kernel'
import { delegateTool } from '../../src/peer/delegate-tool.js'
import { delegationTools } from '../../src/peer/delegation-tools.js'
import type { PeerConfig } from '../../src/peer/peer.js'
import { Peers } from '../../src/peer/peers.js'

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

export type Kept = Omit<EnginePorts, 'agents'>

/** What outlives a process. */
export const kept = (): Kept => ({
  journal: memoryJournal(),
  inbox: memoryInbox(),
  leases: memoryLeases(),
  grants: memoryGrants(),
  artifacts: memoryArtifacts(sha256),
  digest: (text) => `sha256:${sha256(text)}`,
})

/** Takes what it is given: what is under test is the hand. */
export const anything = (json: Schema['json']): Schema => ({ json, check: (value: Json) => ({ ok: true, value }) })

/** Arguments may be made of what the tools have said so far. */
export type Step = { readonly tool: string; readonly args: Json | ((said: readonly string[]) => Json) }

/** Plays its steps, one a turn, then says that it is done. */
function playing(steps: readonly Step[]): Model {
  const author = { provider: 'test', model: 'plays', dialect: 'test' }
  return {
    author,
    contextWindow: 100_000,
    *generate({ messages }) {
      const said = messages.flatMap((message) =>
        message.role === 'tool' ? message.blocks.map(({ content }) => plainText(content)) : [],
      )
      const step = steps[said.length]
      const args = typeof step?.args === 'function' ? step.args(said) : step?.args
      yield {
        kind: 'block-ended',
        index: 0,
        block:
          step === undefined
            ? { kind: 'text', text: 'Done.', author }
            : { kind: 'tool-call', name: step.tool, args: args as never, author },
      }
      yield { kind: 'finished', finish: step === undefined ? 'stop' : 'tool-calls', usage: null, diagnostics: [] }
    },
  }
}

export type Delegator = {
  readonly engine: Engine
  readonly ports: Kept
  readonly peers: Peers
  /** Names of the tools that are offered. */
  readonly tools: readonly string[]
  /** Starts a run of the steps; by default one delegation of `goal`. */
  start(goal: string): Promise<RunId>
  call(runId: RunId, tool?: string): Promise<CallState>
  text(runId: RunId): Promise<string>
  close(): Promise<void>
}

export function delegator(
  peer: PeerConfig,
  more: {
    readonly ports?: Kept
    readonly clock?: Clock
    readonly tools?: readonly Tool[]
    readonly steps?: readonly Step[]
    readonly policy?: Policy
    readonly brief?: string
  } = {},
): Delegator {
  const ports = more.ports ?? kept()
  const peers = new Peers([peer], more.clock)
  const steps = more.steps ?? [{ tool: 'delegate', args: { peer: peer.name, brief: more.brief ?? '' } }]
  const agent = {
    name: 'tester',
    tools: [
      delegateTool({ peers, compile: anything, engine: () => engine }),
      ...delegationTools({ peers, compile: anything, engine: () => engine }),
      ...(more.tools ?? []),
    ],
    planner: react(),
    policy: more.policy ?? { rules: [], otherwise: 'allow' as const },
    frame: [],
    limits: {},
  }
  let brief = more.brief ?? ''
  const engine: Engine = createEngine({
    ...ports,
    agents: () => ({
      ...agent,
      model: playing(
        steps.map((step) =>
          step.tool === 'delegate' ? { ...step, args: { ...(step.args as object), brief } as Json } : step,
        ),
      ),
    }),
  })
  const call = async (runId: RunId, tool = 'delegate'): Promise<CallState> => {
    const run = await engine.state(runId)
    const found = [...run.calls.values()].find(({ proposal }) => proposal.tool === tool)
    if (found === undefined) throw new Error(`${tool} was not called: ${JSON.stringify(run.ended)}`)
    return found
  }
  return {
    engine,
    ports,
    peers,
    tools: agent.tools.map(({ name }) => name),
    async start(goal) {
      brief = goal
      return engine.submit({ agent: 'tester', goal })
    },
    call,
    text: async (runId) => plainText((await call(runId)).content),
    async close() {
      await engine.close()
      await peers.close()
    },
  }
}

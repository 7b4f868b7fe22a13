import {
  type CallState,
  type Clock,
  createEngine,
  type Engine,
  type Json,
  type Limits,
  type Policy,
  plainText,
  type RunId,
  react,
  type Schema,
  type Tool,
  type Usage,
} from '@tenon/kernel'
import { type KeptPorts, keptPorts } from '../../src/cases/kept-ports.js'
import { type PlayedStep, playingModel } from '../../src/cases/playing-model.js'
import { delegateTool } from '../../src/peer/delegate-tool.js'
import { delegationTools } from '../../src/peer/delegation-tools.js'
import type { PeerConfig } from '../../src/peer/peer.js'
import { Peers } from '../../src/peer/peers.js'

/** Takes what it is given: what is under test is the hand. */
export const anything = (json: Schema['json']): Schema => ({ json, check: (value: Json) => ({ ok: true, value }) })

export type Delegator = {
  readonly engine: Engine
  readonly ports: KeptPorts
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
    readonly ports?: KeptPorts
    readonly clock?: Clock
    readonly tools?: readonly Tool[]
    readonly steps?: readonly PlayedStep[]
    readonly policy?: Policy
    readonly brief?: string
    readonly limits?: Limits
    readonly usage?: Usage
  } = {},
): Delegator {
  const ports = more.ports ?? keptPorts()
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
    limits: more.limits ?? {},
  }
  let brief = more.brief ?? ''
  const engine: Engine = createEngine({
    ...ports,
    agents: () => ({
      ...agent,
      model: playingModel(
        steps.map((step) =>
          step.tool === 'delegate' ? { ...step, args: { ...(step.args as object), brief } as Json } : step,
        ),
        more.usage,
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

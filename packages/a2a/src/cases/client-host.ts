import { createHash } from 'node:crypto'
import {
  createEngine,
  type Engine,
  type EnginePorts,
  type Model,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  react,
  type SchemaCompiler,
} from '@tenon/kernel'
import type { TrustedKey } from '../card-client/verify-card.js'
import { delegateTool } from '../peer/delegate-tool.js'
import { PEER_LIMITS } from '../peer/peer-limits.js'
import { Peers } from '../peer/peers.js'
import { PushInbox } from '../peer/push-inbox.js'
import { kernelClock, type PeerScenario, type ScriptedPeer } from './peer-scenario.js'
import type { Webhook } from './webhook.js'

/** What outlives a client process. */
export type KeptPorts = Omit<EnginePorts, 'agents'>

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

export const keptPorts = (): KeptPorts => ({
  journal: memoryJournal(),
  inbox: memoryInbox(),
  leases: memoryLeases(),
  grants: memoryGrants(),
  artifacts: memoryArtifacts(sha256),
  digest: (text) => `sha256:${sha256(text)}`,
})

const PUSH_KEY = Buffer.alloc(32, 7)

/** Real milliseconds that a request gets at least, however fast the scenario's clock runs. */
const LEAST_REAL_MS = 1_500

/** One client process: an engine, one agent that delegates what it is told, and the peer. */
export class ClientHost {
  readonly engine: Engine
  readonly #peers: Peers

  constructor(
    { do: orders, speed = 1 }: PeerScenario,
    peer: ScriptedPeer,
    keys: readonly TrustedKey[],
    compile: SchemaCompiler,
    ports: KeptPorts,
    webhook?: Webhook,
  ) {
    const { allow = [], credential, trust, giveUpAfterMs, text } = orders
    const atLeast = (ms: number): number => Math.max(ms, LEAST_REAL_MS * speed)
    this.#peers = new Peers(
      [
        {
          name: 'peer',
          url: peer.cardUrl,
          allow: allow.map((name) => hostOf(name, peer)),
          ...(credential === undefined ? {} : { credentials: () => ({ authorization: `Bearer ${credential}` }) }),
          ...(trust === 'signed' ? { keys, signed: true } : {}),
          limits: {
            lookMs: atLeast(PEER_LIMITS.lookMs),
            cardMs: atLeast(PEER_LIMITS.cardMs),
            cancelMs: atLeast(PEER_LIMITS.cancelMs),
            ...(giveUpAfterMs === undefined ? {} : { totalMs: giveUpAfterMs }),
          },
        },
      ],
      kernelClock(peer.clock),
    )
    const client = {
      name: 'client',
      model: delegating(text),
      tools: [delegateTool({ peers: this.#peers, compile })],
      planner: react(),
      policy: { rules: [], otherwise: 'allow' as const },
      frame: [],
      limits: {},
    }
    const push = webhook && new PushInbox({ url: webhook.url, key: PUSH_KEY, engine: () => this.engine })
    this.#peers.push = push
    if (webhook !== undefined) webhook.inbox = push
    this.engine = createEngine({ ...ports, agents: (name) => (name === client.name ? client : undefined) })
  }

  async close(): Promise<void> {
    await this.engine.close()
    await this.#peers.close()
  }
}

function hostOf(name: string, peer: ScriptedPeer): string {
  if (name === 'origin' || name === 'other') return new URL(peer[name]).host
  return name
}

/** Delegates once, then says that it is done: what is under test is the hand, not the model. */
function delegating(brief: string): Model {
  const author = { provider: 'cases', model: 'delegates', dialect: 'cases' }
  return {
    author,
    contextWindow: 100_000,
    *generate({ messages }) {
      const done = messages.some((message) => message.role === 'tool')
      const args = { peer: 'peer', brief }
      yield {
        kind: 'block-ended',
        index: 0,
        block: done ? { kind: 'text', text: 'Done.', author } : { kind: 'tool-call', name: 'delegate', args, author },
      }
      yield { kind: 'finished', finish: done ? 'stop' : 'tool-calls', usage: null, diagnostics: [] }
    },
  }
}

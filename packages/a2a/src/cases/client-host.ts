import { createEngine, type Engine, react, type SchemaCompiler } from '@tenon/kernel'
import type { TrustedKey } from '../card-client/verify-card.js'
import { delegateTool } from '../peer/delegate-tool.js'
import { PEER_LIMITS } from '../peer/peer-limits.js'
import { Peers } from '../peer/peers.js'
import { PushInbox } from '../peer/push-inbox.js'
import type { KeptPorts } from './kept-ports.js'
import { kernelClock, type PeerScenario, type ScriptedPeer } from './peer-scenario.js'
import { playingModel } from './playing-model.js'
import type { Webhook } from './webhook.js'

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
      model: playingModel([{ tool: 'delegate', args: { peer: 'peer', brief: text } }]),
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

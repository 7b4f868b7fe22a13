import type { Clock, MaybePromise, Trust } from '@tenon/kernel'
import { BUDGET_EXTENSION } from '../budget/budget-extension.js'
import { CardClient, type FetchedCard } from '../card-client/card-client.js'
import { type ChosenInterface, chooseInterface } from '../card-client/choose-interface.js'
import type { TrustedKey } from '../card-client/verify-card.js'
import { checkedAddress } from '../net/checked-address.js'
import { Door } from '../net/door.js'
import { isAllowedHost } from '../net/is-allowed-host.js'
import { grpcAddress } from './grpc/grpc-address.js'
import type { GrpcDoor } from './grpc/grpc-door.js'
import type { GrpcWireOptions } from './grpc/grpc-wire.js'
import { PeerError } from './peer-error.js'
import { PEER_LIMITS, type PeerLimits } from './peer-limits.js'
import { HttpWire } from './wire/http-wire.js'
import type { PeerWire } from './wire/peer-wire.js'

/** An agent that work may be given to, as the configuration names it. */
export type PeerConfig = {
  /** What the model and the user call it. */
  readonly name: string
  /** Where its card lies. */
  readonly url: string
  /** What it is good for, in place of what its card says. */
  readonly description?: string
  /** Hosts, with or without a port, that may be reached although they are not public. */
  readonly allow?: readonly string[]
  /** Headers with which we authenticate, looked up for each request; sent to the interface, never with the card. */
  readonly credentials?: () => MaybePromise<Readonly<Record<string, string>>>
  readonly keys?: readonly TrustedKey[]
  /** A card that none of `keys` has signed is refused. */
  readonly signed?: boolean
  /** How far its words may be believed. `untrusted` if absent. */
  readonly trust?: Extract<Trust, 'vetted' | 'untrusted'>
  /** Who hears first what it asks: a person (the default), or the agent, which may know or ask on. */
  readonly questions?: 'user' | 'agent'
  readonly limits?: Partial<PeerLimits>
}

export type PeerLink = FetchedCard & {
  readonly chosen: ChosenInterface
  readonly wire: PeerWire
  /** The peer keeps to budgets and tells what it used. */
  readonly budgets: boolean
}

/** One peer: its card, and the way in that both sides speak. Connections are kept until `close`. */
export class Peer {
  readonly name: string
  readonly limits: PeerLimits
  readonly trust: Trust
  readonly #door: Door
  readonly #cards: CardClient
  #grpc: GrpcDoor | undefined

  constructor(
    readonly config: PeerConfig,
    readonly clock: Clock,
  ) {
    const { name, url, allow = [], keys = [], signed = false, trust = 'untrusted', limits } = config
    this.name = name
    this.trust = trust
    this.limits = { ...PEER_LIMITS, ...limits }
    this.#door = new Door(name, allow, clock)
    this.#cards = new CardClient({ peer: name, url, keys, mustBeSigned: signed }, this.#door, clock, this.limits)
  }

  /** @throws PeerError when the card cannot be had, is not trusted, or offers nothing that we speak */
  async link(signal: AbortSignal): Promise<PeerLink> {
    const fetched = await this.#cards.card(signal)
    const chosen = chooseInterface(fetched.card, this.name)
    const { offered, spoken } = chosen
    const { credentials, allow = [], url } = this.config
    const what = `The interface that the card of ${this.name} names`
    const place =
      spoken.over === 'grpc'
        ? grpcAddress(offered.url, allow, what)
        : { url: checkedAddress(offered.url, allow, what), isPlain: false }
    const at = place.url
    const vouched = fetched.verdict.kind === 'verified' || isAllowedHost(at, allow)
    if (credentials !== undefined && at.origin !== new URL(url).origin && !vouched)
      throw new PeerError(
        'peer-address-forbidden',
        `The card of ${this.name} leads to ${at.host}, and our credentials were given for another server. Allow that host, or trust the key that signs the card.`,
      )
    const budgets = fetched.card.extensions.includes(BUDGET_EXTENSION)
    const options = {
      peer: this.name,
      clock: this.clock,
      limits: this.limits,
      extensions: budgets ? [BUDGET_EXTENSION] : [],
      ...(offered.tenant === undefined ? {} : { tenant: offered.tenant }),
      ...(credentials === undefined ? {} : { credentials }),
    }
    const wire =
      spoken.over === 'grpc'
        ? await this.#grpcWire({ ...options, at: place })
        : new HttpWire({
            ...options,
            url: offered.url,
            door: this.#door,
            dialect: spoken.dialect,
            binding: spoken.binding,
          })
    return { ...fetched, chosen, wire, budgets }
  }

  card(signal: AbortSignal): Promise<FetchedCard> {
    return this.#cards.card(signal)
  }

  close(): Promise<void> {
    this.#grpc?.close()
    return this.#door.close()
  }

  /** Loaded only for peers that are spoken to over gRPC. */
  async #grpcWire(options: Omit<GrpcWireOptions, 'door'>): Promise<PeerWire> {
    const [{ GrpcDoor }, { GrpcWire }] = await Promise.all([
      import('./grpc/grpc-door.js'),
      import('./grpc/grpc-wire.js'),
    ])
    this.#grpc ??= new GrpcDoor(this.name, this.config.allow ?? [], this.limits.eventBytes)
    return new GrpcWire({ ...options, door: this.#grpc })
  }
}

import { type Clock, isJsonObject, type Json, type JsonObject, normaliseError } from '@tenon/kernel'
import type { Door, DoorResponse } from '../net/door.js'
import { readRetryAfter } from '../net/read-retry-after.js'
import { readText } from '../net/read-text.js'
import { pause } from '../peer/pause.js'
import { isPeerError, PeerError } from '../peer/peer-error.js'
import type { PeerLimits } from '../peer/peer-limits.js'
import { type AgentCard, readAgentCard } from './agent-card.js'
import { type CardVerdict, type TrustedKey, verifyCard } from './verify-card.js'

export type CardSource = {
  readonly peer: string
  readonly url: string
  readonly keys: readonly TrustedKey[]
  /** A card without a signature that verifies is refused. */
  readonly mustBeSigned: boolean
}

export type FetchedCard = { readonly card: AgentCard; readonly verdict: CardVerdict }

type Cached = FetchedCard & {
  readonly etag: string | undefined
  readonly modified: string | undefined
  readonly freshUntil: number
}

const MOST_KEY_BYTES = 64 * 1024
const TRIES = 3
const FIRST_PAUSE_MS = 250
/** Kept so long where the server says nothing, and never longer than a day. */
const USUAL_AGE_MS = 5 * 60_000
const MOST_AGE_MS = 24 * 60 * 60_000

/** One card: fetched, verified, kept as long as its headers say, then asked for again with what it was known by. */
export class CardClient {
  #cached: Cached | undefined
  #fetching: Promise<Cached> | undefined

  constructor(
    readonly source: CardSource,
    readonly door: Door,
    readonly clock: Clock,
    readonly limits: PeerLimits,
  ) {}

  /** @throws PeerError `peer-card-…`, `peer-address-forbidden`, `peer-redirect-refused` */
  async card(signal: AbortSignal): Promise<FetchedCard> {
    const { now } = this.clock
    if (this.#cached !== undefined && now() < this.#cached.freshUntil) return this.#cached
    this.#fetching ??= this.#fetch(signal).finally(() => {
      this.#fetching = undefined
    })
    this.#cached = await this.#fetching
    return this.#cached
  }

  async #fetch(signal: AbortSignal): Promise<Cached> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#fetchOnce(signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!isPeerError(error) || attempt === TRIES || !isPassing(error)) throw error
        const waitMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt
        if (waitMs > this.limits.cardMs) throw error
        await pause(this.clock, waitMs, signal)
      }
  }

  async #fetchOnce(signal: AbortSignal): Promise<Cached> {
    const { peer, url } = this.source
    const known = this.#cached
    let response: DoorResponse
    try {
      response = await this.door.open({
        method: 'GET',
        url,
        headers: {
          accept: 'application/json',
          // A server of both versions shows each client its own card.
          'a2a-version': '1.0',
          ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
          ...(known?.modified === undefined ? {} : { 'if-modified-since': known.modified }),
        },
        signal,
        withinMs: this.limits.cardMs,
      })
    } catch (error) {
      if (!isPeerError(error, 'peer-unavailable')) throw error
      throw new PeerError('peer-card-unreachable', `The card of ${peer} cannot be fetched: ${error.message}`, {
        cause: error,
      })
    }
    if (response.status === 304 && known !== undefined) {
      response.close()
      return { ...known, freshUntil: this.#freshUntil(response) }
    }
    if (response.status !== 200) throw this.#refused(response)
    const text = await this.#read(response)
    const card = readAgentCard(this.#parse(text))
    return {
      card,
      verdict: await this.#verdict(card, signal),
      etag: response.header('etag'),
      modified: response.header('last-modified'),
      freshUntil: this.#freshUntil(response),
    }
  }

  async #verdict({ json }: AgentCard, signal: AbortSignal): Promise<CardVerdict> {
    const { peer, keys, mustBeSigned } = this.source
    let verdict = verifyCard(json, keys)
    if (verdict.kind === 'unknown-key' && verdict.jku !== undefined && !mustBeSigned)
      verdict = await this.#held(verdict, verdict.jku, json, signal)
    if (verdict.kind === 'wrong')
      throw new PeerError(
        'peer-card-untrusted',
        `The card of ${peer} was changed after it was signed by ${verdict.kid}, or the trusted key is not the one that signed it.`,
      )
    if (mustBeSigned && verdict.kind !== 'verified')
      throw new PeerError(
        'peer-card-untrusted',
        `The card of ${peer} must be signed by a trusted key and ${verdict.kind === 'unsigned' ? 'is not signed' : `is signed by ${'kids' in verdict ? verdict.kids.join(', ') : 'another'}`}.`,
      )
    return verdict
  }

  /** Held to what its own server publishes. Keys of another origin say nothing about this one. */
  async #held(verdict: CardVerdict, jku: string, json: JsonObject, signal: AbortSignal): Promise<CardVerdict> {
    if (!URL.canParse(jku) || new URL(jku).origin !== new URL(this.source.url).origin) return verdict
    let published: Json
    try {
      const withinMs = this.limits.cardMs
      const response = await this.door.open({ method: 'GET', url: jku, headers: {}, signal, withinMs })
      if (response.status !== 200) {
        response.close()
        return verdict
      }
      published = JSON.parse((await this.#text(response, MOST_KEY_BYTES)) ?? '') as Json
    } catch (error) {
      if (signal.aborted) throw error
      return verdict
    }
    const keys = isJsonObject(published) && Array.isArray(published.keys) ? published.keys : []
    const found = verifyCard(json, keys as readonly TrustedKey[])
    if (found.kind === 'verified') return { kind: 'published', kid: found.kid, jku }
    return found.kind === 'wrong' ? found : verdict
  }

  async #read(response: DoorResponse): Promise<string> {
    const { peer } = this.source
    const { cardBytes } = this.limits
    let text: string | undefined
    try {
      text = await this.#text(response, cardBytes)
    } catch (error) {
      throw new PeerError('peer-card-unreachable', `The card of ${peer} broke off.`, {
        cause: normaliseError(error, 'tool-failed'),
      })
    }
    if (text === undefined)
      throw new PeerError('peer-card-too-large', `The card of ${peer} is longer than ${cardBytes / 1024} KB.`)
    return text
  }

  #text(response: DoorResponse, mostBytes: number): Promise<string | undefined> {
    const { clock, limits, source } = this
    return readText(response, { mostBytes, withinMs: limits.cardMs, clock, peer: source.peer })
  }

  #parse(text: string): Json {
    try {
      return JSON.parse(text) as Json
    } catch {
      throw new PeerError(
        'peer-card-invalid',
        `What lies at the address of the card of ${this.source.peer} is no JSON.`,
      )
    }
  }

  #refused(response: DoorResponse): PeerError {
    const { peer } = this.source
    const { status } = response
    const retryAfterMs = readRetryAfter(response.header('retry-after'), this.clock.now())
    response.close()
    if (status >= 300 && status < 400)
      return new PeerError(
        'peer-redirect-refused',
        `The card of ${peer} redirects elsewhere. Write the address where it lies into the configuration.`,
      )
    return new PeerError('peer-card-unreachable', `The card of ${peer} was answered with status ${status}.`, {
      repeatable: status === 429 || status >= 500,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    })
  }

  #freshUntil(response: DoorResponse): number {
    const control = response.header('cache-control') ?? ''
    if (/\bno-(?:store|cache)\b/i.test(control)) return 0
    const seconds = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1]
    const age = seconds === undefined ? USUAL_AGE_MS : Number(seconds) * 1_000
    return this.clock.now() + Math.min(age, MOST_AGE_MS)
  }
}

/** Worth another try: nobody answered, or it said so. */
const isPassing = (error: PeerError): boolean =>
  error.repeatable || (error.code === 'peer-card-unreachable' && error.cause !== undefined)

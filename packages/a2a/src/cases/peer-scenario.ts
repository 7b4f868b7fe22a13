import type { Clock, Json, JsonObject } from '@tenon/kernel'
import type { TrustedKey } from '../card-client/verify-card.js'

/** What a scenario of the kind `peers` asks the client to do. */
export type PeerOrders = {
  readonly text: string
  /** Names of addresses of the scripted peer, or hosts. */
  readonly allow?: readonly string[]
  readonly trust?: 'signed'
  readonly credential?: string
  readonly answers?: readonly { readonly kind?: string; readonly text?: string; readonly done?: boolean }[]
  readonly cancelWhen?: 'working' | 'asked' | 'sending'
  readonly leaveWhen?: 'working'
  readonly restartWhen?: 'sending' | 'working' | 'asked'
  readonly giveUpAfterMs?: number
  readonly observeForMs?: number
  readonly webhook?: boolean
  readonly times?: number
}

export type PeerScenario = { readonly speed?: number; readonly do: PeerOrders } & JsonObject

/** The clock that scripted peer and client share. */
export type ScenarioClock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> }

export type ScriptedPeer = {
  readonly origin: string
  readonly other: string
  readonly cardUrl: string
  readonly log: readonly { readonly op?: string; readonly host?: string }[]
  readonly clock: ScenarioClock
  settled(): Promise<unknown>
  stop(): Promise<void>
}

/** What the client saw, in the words of the cases. */
export type ClientReport = {
  readonly outcome: 'finished' | 'failed' | 'in-doubt' | 'canceled' | 'waiting' | 'denied' | 'skipped'
  readonly code?: string
  readonly text: string
  readonly artifacts: Json
  readonly untrusted: boolean
  readonly asks: readonly { readonly kind: string; readonly text: string }[]
}

/** The scripted peer that comes with the cases; it says what the words of a scenario mean. */
export type PeerTools = {
  startPeer(scenario: PeerScenario): Promise<ScriptedPeer>
  judge(scenario: PeerScenario, peer: ScriptedPeer, report: ClientReport): readonly string[]
  readonly keys: readonly TrustedKey[]
}

export function kernelClock(clock: ScenarioClock): Clock {
  return {
    now: () => clock.now(),
    after(ms, callback) {
      const stop = new AbortController()
      void clock.sleep(ms, stop.signal).then(() => {
        if (!stop.signal.aborted) callback()
      })
      return () => stop.abort()
    },
  }
}

import type { Amounts, Json, JsonObject, RunStateName } from '@tenon/kernel'

/** A part as a peer said it, in the form of 1.0: exactly one of text, raw (base64), url and data. */
export type PeerPart = {
  readonly text?: string
  readonly raw?: string
  readonly url?: string
  readonly data?: Json
  readonly mediaType?: string
  readonly filename?: string
  readonly metadata?: JsonObject
}

export type PeerMessage = {
  readonly messageId: string
  readonly taskId?: string
  readonly contextId?: string
  readonly parts: readonly PeerPart[]
  /** What the answer used, as the peer says, where it is one in place of a task. */
  readonly spent?: Amounts
}

export type PeerStatus = {
  readonly state: RunStateName
  readonly message?: PeerMessage
  readonly timestamp?: string
}

export type PeerArtifact = {
  readonly artifactId: string
  readonly name?: string
  readonly description?: string
  readonly parts: readonly PeerPart[]
}

export type PeerTask = {
  readonly id: string
  readonly contextId: string
  readonly status: PeerStatus
  readonly artifacts: readonly PeerArtifact[]
  /** What the agent said last, as far as the peer shows its history. */
  readonly lastWords?: PeerMessage
  /** What it used so far, as the peer says. */
  readonly spent?: Amounts
}

/** What a peer tells, whatever version and binding it speaks. */
export type PeerEvent =
  | { readonly kind: 'task'; readonly task: PeerTask }
  | { readonly kind: 'message'; readonly message: PeerMessage }
  | {
      readonly kind: 'status'
      readonly taskId: string
      readonly contextId: string
      readonly status: PeerStatus
      readonly spent?: Amounts
    }
  | {
      readonly kind: 'artifact'
      readonly taskId: string
      readonly contextId: string
      readonly artifact: PeerArtifact
      readonly append: boolean
    }

const TERMINAL: ReadonlySet<RunStateName> = new Set(['completed', 'failed', 'canceled', 'rejected'])

export const isTerminal = (state: RunStateName): boolean => TERMINAL.has(state)

/** The words of a message or an artifact. Chunks of one text were sent one after the other, so nothing stands between. */
export const wordsOf = (parts: readonly PeerPart[]): string => parts.map(({ text }) => text ?? '').join('')

/** Bounds of what a peer may cost us. Times in milliseconds, sizes in bytes. */
export type PeerLimits = {
  readonly cardBytes: number
  /** One response, and everything that one stream brings. */
  readonly responseBytes: number
  readonly eventBytes: number
  /** Until a card has come. */
  readonly cardMs: number
  /** Until the answer to a message begins: a peer may work before it says a word. */
  readonly sendMs: number
  /** Until the answer to a look at a task has come. */
  readonly lookMs: number
  /** A stream without an event for so long is left, and the task is looked at. */
  readonly quietMs: number
  /** How long a peer may be away before its task is given up. */
  readonly awayMs: number
  /** How long we wait for a peer to say that it stopped. */
  readonly cancelMs: number
  /** Times that a message is sent again after the peer said that it began nothing. */
  readonly repeats: number
  /** The longest pause before it is. */
  readonly repeatMs: number
  /** The first and the longest pause between two looks at a task. */
  readonly firstPollMs: number
  readonly longestPollMs: number
  /** The longest pause where the peer also knocks. */
  readonly knockedPollMs: number
  /** The whole delegation, without the time that people take to answer. */
  readonly totalMs: number
}

const MB = 1024 * 1024
const MINUTE = 60_000

export const PEER_LIMITS: PeerLimits = {
  cardBytes: MB,
  responseBytes: 16 * MB,
  eventBytes: 8 * MB,
  cardMs: 30_000,
  sendMs: 30 * MINUTE,
  lookMs: MINUTE,
  quietMs: 5 * MINUTE,
  awayMs: 10 * MINUTE,
  cancelMs: 4_000,
  repeats: 4,
  repeatMs: 2 * MINUTE,
  firstPollMs: 1_000,
  longestPollMs: 30_000,
  knockedPollMs: 5 * MINUTE,
  totalMs: 24 * 60 * MINUTE,
}

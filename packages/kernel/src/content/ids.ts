declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

/** One goal being pursued. Not a task id, a context id, a message id or a JSON-RPC id: those are types of their own. */
export type RunId = Id<'run'>
/** Groups runs that share a conversation; the A2A context. */
export type ContextId = Id<'context'>
export type MessageId = Id<'message'>
/** `t3`: the third turn of its run. */
export type TurnId = Id<'turn'>
/** `t3.2`: the call in block 2 of turn 3. Ours, never a provider's. */
export type CallId = Id<'call'>
/** A sub-history with a goal of its own. The root scope is the empty string. */
export type ScopeId = Id<'scope'>
/** A question that the run waits on. */
export type RequestId = Id<'request'>
/** The digest of an artifact's bytes: `sha256:…`. */
export type ArtifactId = Id<'artifact'>

export const RunId = (text: string): RunId => text as RunId
export const ContextId = (text: string): ContextId => text as ContextId
export const MessageId = (text: string): MessageId => text as MessageId
export const TurnId = (text: string): TurnId => text as TurnId
export const CallId = (text: string): CallId => text as CallId
export const ScopeId = (text: string): ScopeId => text as ScopeId
export const RequestId = (text: string): RequestId => text as RequestId
export const ArtifactId = (text: string): ArtifactId => text as ArtifactId

export const ROOT_SCOPE = ScopeId('')

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random bytes are asked for by the page: each ask costs more than an id. */
const RANDOM = new Uint8Array(4096)
let used = RANDOM.length

/** 26 characters that sort by time of making (48 bits of milliseconds, 80 random bits; the shape of a ULID). */
export function sortableId(now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++) {
    time = ALPHABET[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  if (used === RANDOM.length) {
    crypto.getRandomValues(RANDOM)
    used = 0
  }
  let random = ''
  for (const end = used + 16; used < end; used++) random += ALPHABET[(RANDOM[used] ?? 0) & 31]
  return time + random
}

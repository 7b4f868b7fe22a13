import type { CallId, RunId } from '../content/ids.js'
import type { JsonObject } from '../content/json.js'
import { canonicalJson } from '../content/json.js'
import type { Digest } from '../ports/digest.js'
import type { Origin, Tool } from '../ports/tool.js'
import type { Grant } from '../run/events.js'
import { matchesArguments } from './argument-pattern.js'

const digests = new WeakMap<Tool, string>()

/** Digest of what a person would have to read to know the tool: name, description, input schema, origin, effect. */
export function toolDigest(tool: Tool, digest: Digest): string {
  let known = digests.get(tool)
  if (known === undefined) {
    const { name, description, input, origin, effect } = tool
    known = digest(canonicalJson({ name, description, input: input.json, origin, effect }))
    digests.set(tool, known)
  }
  return known
}

export type Bound = {
  readonly toolDigest: string
  readonly origin: Origin
  readonly args: JsonObject
  readonly callId: CallId
  readonly runId: RunId
}

/** What a consent is bound to. Another tool definition, origin, argument, call or run gives another binding. */
export function consentBinding(bound: Bound, digest: Digest): string {
  return digest(canonicalJson(bound))
}

/** True when the grant covers the call: same tool, origin and definition, arguments in its pattern, not at its end. */
export function grantCovers(grant: Grant, tool: string, bound: Omit<Bound, 'callId' | 'runId'>, now: number): boolean {
  return (
    grant.tool === tool &&
    grant.toolDigest === bound.toolDigest &&
    grant.origin.kind === bound.origin.kind &&
    grant.origin.name === bound.origin.name &&
    (grant.expiresAt === undefined || now < grant.expiresAt) &&
    (grant.pattern === undefined || matchesArguments(grant.pattern, bound.args))
  )
}

import type { JsonObject } from '@tenon/kernel'
import { isMcpError } from '../errors.js'
import type { Upstream } from '../upstream/upstream.js'

/** What the argument belongs to: a prompt by its name, or a template of resources. */
export type Completable = { readonly prompt: string } | { readonly template: string }

/** As many as the protocol lets a server send. */
const MOST = 100
/** A person waits for it at every key. Milliseconds. */
const PATIENCE_MS = 2_000
/** Where completing was not a capability yet, a server is simply asked. */
const DECLARED_SINCE = '2025-03-26'

/**
 * What a server proposes for an argument that is half typed (completion/complete), in its order. Nothing where it
 * completes nothing, fails or takes too long: whoever types goes on typing.
 */
export async function completeArgument(
  upstream: Upstream,
  of: Completable,
  name: string,
  typed: string,
  given: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const ref = 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template }
  const params: JsonObject = {
    ref,
    argument: { name, value: typed },
    ...(Object.keys(given).length === 0 ? {} : { context: { arguments: given } }),
  }
  try {
    const { version, capabilities } = upstream.info ?? (await upstream.open())
    if (capabilities.completions === undefined && version >= DECLARED_SINCE) return []
    const time = { timeoutMs: PATIENCE_MS, totalTimeoutMs: PATIENCE_MS }
    return valuesOf(await upstream.request('completion/complete', params, { repeatable: true, ...time }))
  } catch (error) {
    if (isMcpError(error)) return []
    throw error
  }
}

/** A value goes into the line of whoever types: nothing of it may act on a terminal. */
const ACTS = /\p{C}|\p{Zl}|\p{Zp}/u

function valuesOf({ completion }: JsonObject): readonly string[] {
  const { values } = (completion ?? {}) as JsonObject
  const usable = Array.isArray(values) ? values.filter((value) => typeof value === 'string' && !ACTS.test(value)) : []
  return [...new Set(usable as readonly string[])].slice(0, MOST)
}

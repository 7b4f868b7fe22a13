import type { Usage } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** Providers whose V2 models count cached input beside `inputTokens`; with all others it is a part of it. */
const CACHE_BESIDE_INPUT = /anthropic|bedrock/i

/** Reads both shapes of usage: V2's flat numbers and the nested ones since V3. Null where nothing was counted. */
export function aiSdkUsage(usage: unknown, provider: string, metadata: unknown): Usage | null {
  if (!isJsonObject(usage)) return null
  const { inputTokens, outputTokens } = usage
  if (isJsonObject(inputTokens) || isJsonObject(outputTokens))
    return nested(isJsonObject(inputTokens) ? inputTokens : {}, isJsonObject(outputTokens) ? outputTokens : {})
  const input = count(inputTokens)
  const output = count(outputTokens)
  if (input === undefined && output === undefined) return null
  const cachedInput = count(usage.cachedInputTokens) ?? 0
  const beside = CACHE_BESIDE_INPUT.test(provider) || cachedInput > (input ?? 0)
  return {
    input: beside ? (input ?? 0) : (input ?? 0) - cachedInput,
    cachedInput,
    cacheWrite: writtenToCache(metadata),
    output: output ?? 0,
    reasoning: count(usage.reasoningTokens) ?? null,
  }
}

function nested(input: Readonly<Record<string, unknown>>, output: Readonly<Record<string, unknown>>): Usage | null {
  const all = count(input.total)
  const cachedInput = count(input.cacheRead) ?? 0
  const cacheWrite = count(input.cacheWrite) ?? 0
  const plain = count(input.noCache) ?? (all === undefined ? undefined : Math.max(0, all - cachedInput - cacheWrite))
  const reasoning = count(output.reasoning)
  const written =
    count(output.total) ?? (count(output.text) === undefined ? undefined : (count(output.text) ?? 0) + (reasoning ?? 0))
  if (plain === undefined && written === undefined) return null
  return { input: plain ?? 0, cachedInput, cacheWrite, output: written ?? 0, reasoning: reasoning ?? null }
}

/** V2 has no counter for it; Anthropic's provider tells it beside the answer. */
function writtenToCache(metadata: unknown): number {
  if (!isJsonObject(metadata)) return 0
  for (const told of Object.values(metadata)) {
    const written = isJsonObject(told) ? count(told.cacheCreationInputTokens) : undefined
    if (written !== undefined) return written
  }
  return 0
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

import type { Json, JsonObject, Usage } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** Two reports on one turn: both are running totals, so the later value of each field counts, zeros too. */
export function mergeUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...earlier }
  for (const [key, value] of Object.entries(later)) {
    const before = merged[key]
    if (value !== null) merged[key] = isJsonObject(value) && isJsonObject(before) ? mergeUsage(before, value) : value
  }
  return merged
}

/** The first of these paths that holds a number. */
function count(report: JsonObject, ...paths: readonly string[]): number | undefined {
  for (const path of paths) {
    let value: Json | undefined = report
    for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : undefined
    if (typeof value === 'number' && Number.isFinite(value)) return Math.max(0, value)
  }
  return undefined
}

const CACHE_READ = [
  'prompt_tokens_details.cached_tokens',
  'input_tokens_details.cached_tokens',
  'prompt_cache_hit_tokens',
  'cache_read_input_tokens',
  'cached_tokens',
]
const CACHE_WRITE = [
  'prompt_tokens_details.cache_write_tokens',
  'input_tokens_details.cache_write_tokens',
  'prompt_tokens_details.cache_creation_input_tokens',
  'prompt_tokens_details.cache_creation_tokens',
  'cache_creation_input_tokens',
]
const REASONING = [
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.reasoning_tokens',
  'reasoning_tokens',
]

/**
 * Chat and responses: the prompt holds what was read from a cache and written to it. Where the total is more than
 * prompt and completion, the rest is output that was billed but not counted: thoughts, where none were named.
 */
export function usageInsidePrompt(report: JsonObject, adjusted: () => void): Usage | null {
  const prompt = count(report, 'prompt_tokens', 'input_tokens')
  const completion = count(report, 'completion_tokens', 'output_tokens')
  const total = count(report, 'total_tokens')
  if (prompt === undefined && completion === undefined && total === undefined) return null
  const cachedInput = count(report, ...CACHE_READ) ?? 0
  const cacheWrite = count(report, ...CACHE_WRITE) ?? 0
  const named = count(report, ...REASONING)
  const rest = Math.max(0, (total ?? 0) - (prompt ?? 0) - (completion ?? 0))
  if (rest > 0) adjusted()
  return {
    input: Math.max(0, (prompt ?? 0) - cachedInput - cacheWrite),
    cachedInput,
    cacheWrite,
    output: (completion ?? 0) + rest,
    reasoning: named ?? (rest > 0 ? rest : null),
  }
}

/** Anthropic: what the cache read and wrote stands beside the input. */
export function usageBesideCache(report: JsonObject): Usage | null {
  const input = count(report, 'input_tokens')
  const output = count(report, 'output_tokens')
  const oneHour = count(report, 'cache_creation.ephemeral_1h_input_tokens')
  const split = (oneHour ?? 0) + (count(report, 'cache_creation.ephemeral_5m_input_tokens') ?? 0)
  const cachedInput = count(report, 'cache_read_input_tokens')
  const cacheWrite = count(report, 'cache_creation_input_tokens')
  if ([input, output, cachedInput, cacheWrite].every((value) => value === undefined)) return null
  return {
    input: input ?? 0,
    cachedInput: cachedInput ?? 0,
    cacheWrite: cacheWrite ?? split,
    ...(oneHour === undefined || oneHour === 0 ? {} : { cacheWrite1h: oneHour }),
    output: output ?? 0,
    reasoning: count(report, 'output_tokens_details.thinking_tokens') ?? null,
  }
}

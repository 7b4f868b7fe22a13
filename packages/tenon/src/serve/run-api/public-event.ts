import type { JsonObject, RunEvent } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** What a run keeps so that it is taken up at its place: paths of this machine, which are no client's business. */
const PLACE = ['cwd', 'workspace', 'config', 'rehearsal'] as const

/** An event without what stays on this machine. */
export function publicEvent(event: RunEvent): JsonObject {
  const shown = event as unknown as JsonObject
  if (event.kind !== 'run-submitted' || !isJsonObject(event.metadata)) return shown
  const metadata: Record<string, JsonObject[string]> = { ...event.metadata }
  for (const key of PLACE) delete metadata[key]
  return { ...shown, metadata }
}

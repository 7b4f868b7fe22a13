import type { PinnedTool } from './change-of-tool.js'

/** What was approved of one server, by wire name. `null`: nothing was ever approved, so nothing can have changed. */
export type ServerPins = Readonly<Record<string, PinnedTool>>

/** Keeps approvals beyond this process. Keyed by the server as the user configured it. */
export interface PinStore {
  load(server: string): ServerPins | null
  save(server: string, pins: ServerPins): void
}

export function memoryPins(): PinStore {
  const kept = new Map<string, ServerPins>()
  return {
    load: (server) => kept.get(server) ?? null,
    save: (server, pins) => {
      kept.set(server, pins)
    },
  }
}

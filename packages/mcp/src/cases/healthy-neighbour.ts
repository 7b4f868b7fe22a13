import { McpError } from '../errors.js'
import type { Upstream } from '../upstream/upstream.js'

/** The script of a server that does nothing but echo. */
export const HEALTHY_SCENARIO = {
  transport: 'stdio',
  era: 'legacy',
  script: { tools: [{ name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } }] },
}

const EVERY_MS = 300
const WITHIN_MS = 500

/** Calls a healthy server of the same host again and again; says how often it failed or was late. */
export function watchNeighbour(upstream: Upstream): { stop(): Promise<readonly string[]> } {
  const troubles: string[] = []
  let going = true
  let late = 0
  const watching = (async () => {
    await upstream.open()
    while (going) {
      const began = performance.now()
      try {
        await upstream.request('tools/call', { name: 'echo', arguments: {} }, { timeoutMs: 5_000 })
      } catch (error) {
        troubles.push(`the healthy server failed: ${error instanceof McpError ? error.code : String(error)}`)
        return
      }
      if (performance.now() - began > WITHIN_MS) late++
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  return {
    async stop() {
      going = false
      await watching
      // A single late answer may be the machine's.
      if (late > 1) troubles.push(`the healthy server answered late ${late} times`)
      return troubles
    },
  }
}

import { urlOfServer } from './kit/url-of-server.js'
import type { Place, Running } from './tenon-process.js'

export type ServedTenon = Running & {
  readonly url: string
  /** Sends a signal and says how the process ended. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

/** `tenon serve` on a free port, as a process of its own. */
export async function servedTenon(
  here: Place,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServedTenon> {
  const running = here.start(['serve', '--port', '0', ...args], env)
  return {
    ...running,
    url: await urlOfServer(running),
    async end(signal) {
      running.child.kill(signal)
      const { code, signal: by } = await running.ended
      return code ?? by
    },
  }
}

import { once } from 'node:events'
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
  const { child, ended } = running
  if (child.stdout === null) throw new Error('The process has no output.')
  const first = await Promise.race([once(child.stdout, 'data'), ended])
  if (!Array.isArray(first)) throw new Error(`It did not start: ${first.stderr}`)
  const { url } = JSON.parse(String(first[0])) as { readonly url: string }
  return {
    ...running,
    url,
    async end(signal) {
      child.kill(signal)
      const { code, signal: by } = await ended
      return code ?? by
    },
  }
}

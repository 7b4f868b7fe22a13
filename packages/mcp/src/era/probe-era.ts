import { isMcpError, type McpError, rpcDetail } from '../errors.js'
import type { Connection } from '../upstream/connection.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import { statusOf } from '../upstream/http-failure.js'
import type { UpstreamInfo, UpstreamLimits, UpstreamOptions } from '../upstream/upstream.js'
import { unsupported } from './legacy/initialize.js'
import { LEGACY_VERSIONS } from './legacy/legacy-era.js'
import { readDiscovery } from './modern/discover.js'
import { MODERN_VERSIONS, modernEra } from './modern/modern-era.js'

/** What the probe says about the server. `gone`: it ended the process, and a new one is needed. */
type Probe =
  | { readonly kind: 'modern'; readonly info: UpstreamInfo }
  | { readonly kind: 'legacy'; readonly why: string; readonly gone: boolean; readonly certain: boolean }

export type RunningProbe = {
  /** Rejects where the answer says nothing about the era: 401, 403 and server errors never do. */
  readonly answer: Promise<Probe>
  /** Its answer is not wanted any more. */
  drop(): void
}

/** Asks with one `server/discover`. The answer may come late: a process needs its time to start. */
export function startProbe(
  connection: Connection,
  options: UpstreamOptions,
  limits: UpstreamLimits,
  diagnose: Diagnose,
): RunningProbe {
  const stop = new AbortController()
  const wholeMs = limits.probeTimeoutMs + limits.startTimeoutMs
  const [version = ''] = MODERN_VERSIONS
  const ask = async (retried: boolean): Promise<Probe> => {
    connection.era = modernEra(version, options)
    const time = { timeoutMs: wholeMs, totalTimeoutMs: wholeMs, signal: stop.signal }
    try {
      const found = readDiscovery(await connection.request('server/discover', {}, time))
      if (found === undefined) return legacy('the answer to the probe names no versions')
      if (found.info !== undefined) return { kind: 'modern', info: found.info }
      if (found.versions.some((known) => LEGACY_VERSIONS.includes(known))) return legacy('only older versions')
      throw unsupported(options.name, found.versions)
    } catch (error) {
      if (!isMcpError(error, 'mcp-rpc-error')) return afterFailure(error, connection)
      const named = namedVersions(rpcDetail(error)?.data)
      const modern = named?.find((known) => MODERN_VERSIONS.includes(known))
      if (modern !== undefined && !retried) {
        diagnose('version-retried', modern)
        return ask(true)
      }
      if (named === undefined || named.some((known) => LEGACY_VERSIONS.includes(known)))
        return legacy(`the probe was refused: ${error.message.slice(0, 200)}`)
      throw unsupported(options.name, named)
    }
  }
  const answer = ask(false)
  // Whoever does not wait for it any more does not want to hear of its failure either.
  answer.catch(() => {})
  return { answer, drop: () => stop.abort() }
}

function afterFailure(error: unknown, { wire }: Connection): Probe {
  if (!isMcpError(error)) throw error
  switch (error.code) {
    case 'mcp-timeout':
      return legacy('the probe got no answer', { certain: wire.transport === 'stdio' })
    case 'mcp-connection-lost':
      if (wire.transport !== 'stdio') throw error
      return legacy('the process ended at the probe', { gone: true })
    case 'mcp-http-error': {
      const status = statusOf(error) ?? 500
      if (status >= 500 || status === 429 || status === 408) throw error
      return legacy(`the probe was answered with HTTP ${status}`)
    }
    case 'mcp-protocol-error':
      if (isEmptyAnswer(error)) return legacy('the probe was answered with nothing')
      throw error
    default:
      throw error
  }
}

function legacy(why: string, more: { gone?: boolean; certain?: boolean } = {}): Probe {
  return { kind: 'legacy', why, gone: more.gone ?? false, certain: more.certain ?? true }
}

function namedVersions(data: unknown): readonly string[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { supported } = data as { supported?: unknown }
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : undefined
}

function isEmptyAnswer({ detail }: McpError): boolean {
  return typeof detail === 'object' && detail !== null && (detail as { empty?: unknown }).empty === true
}

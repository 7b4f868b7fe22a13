import { isMcpError, McpError, rpcDetail } from '../errors.js'
import { Connection, type ConnectionOptions } from '../upstream/connection.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import { statusOf } from '../upstream/http-failure.js'
import type { EraName, UpstreamInfo, UpstreamLimits, UpstreamOptions } from '../upstream/upstream.js'
import type { MakeWire } from '../upstream/wire.js'
import { initialize, unsupported } from './legacy/initialize.js'
import { LEGACY_VERSIONS, legacyEra } from './legacy/legacy-era.js'
import { readDiscovery } from './modern/discover.js'
import { MODERN_VERSIONS, modernEra } from './modern/modern-era.js'

/** A connection over which the handshake is through. */
export type Link = { readonly connection: Connection; readonly info: UpstreamInfo }

export type LinkOptions = {
  readonly options: UpstreamOptions
  readonly limits: UpstreamLimits
  readonly connection: Omit<ConnectionOptions, 'makeWire' | 'era' | 'name' | 'limits'>
  /** What an earlier probe found. */
  readonly verdict: EraName | undefined
  /** Called when a probe has found out; not where silence was taken for an answer over HTTP. */
  readonly onVerdict: (era: EraName) => void
  /** Gives up at once what has not answered yet. */
  readonly signal?: AbortSignal
}

/** What the probe says about the server. `gone`: it ended the process, and a new one is needed. */
type Probe =
  | { readonly kind: 'modern'; readonly info: UpstreamInfo }
  | { readonly kind: 'legacy'; readonly why: string; readonly gone: boolean; readonly certain: boolean }

/**
 * Opens a server of either era over one wire: one `server/discover` with a short time, then, where that is refused,
 * unknown or unheard, `initialize` on the same wire. 401, 403 and server errors say nothing about the era.
 */
export async function openLink(makeWire: MakeWire, link: LinkOptions): Promise<Link> {
  const { options, limits, verdict } = link
  const { diagnose } = link.connection
  const connect = (): Connection =>
    new Connection({ ...link.connection, name: options.name, limits, makeWire, era: legacyEra(undefined) })
  let connection = connect()
  const stop = (): void => void connection.close(closing(options.name))
  link.signal?.addEventListener('abort', stop, { once: true })
  try {
    if (verdict !== 'legacy') {
      const probe = await probeEra(connection, options, limits, diagnose)
      if (probe.kind === 'modern') {
        link.onVerdict('modern')
        return { connection, info: probe.info }
      }
      diagnose('fallback-legacy', probe.why)
      if (probe.gone) {
        await connection.close(closing(options.name))
        connection = connect()
      }
      connection.era = legacyEra(undefined)
      const info = await initialize(connection, options, limits.startTimeoutMs, diagnose)
      if (probe.certain) link.onVerdict('legacy')
      connection.listen()
      return { connection, info }
    }
    const info = await initialize(connection, options, limits.startTimeoutMs, diagnose)
    connection.listen()
    return { connection, info }
  } catch (error) {
    await connection.close(closing(options.name))
    throw error
  } finally {
    link.signal?.removeEventListener('abort', stop)
  }
}

async function probeEra(
  connection: Connection,
  options: UpstreamOptions,
  limits: UpstreamLimits,
  diagnose: Diagnose,
  retried = false,
): Promise<Probe> {
  const [version = ''] = MODERN_VERSIONS
  connection.era = modernEra(version, options)
  const legacy = (why: string, more: { gone?: boolean; certain?: boolean } = {}): Probe => ({
    kind: 'legacy',
    why,
    gone: more.gone ?? false,
    certain: more.certain ?? true,
  })
  const time = { timeoutMs: limits.probeTimeoutMs, totalTimeoutMs: limits.probeTimeoutMs }
  try {
    const found = readDiscovery(await connection.request('server/discover', {}, time))
    if (found === undefined) return legacy('the answer to the probe names no versions')
    if (found.info !== undefined) return { kind: 'modern', info: found.info }
    if (found.versions.some((known) => LEGACY_VERSIONS.includes(known))) return legacy('only older versions')
    throw unsupported(options.name, found.versions)
  } catch (error) {
    if (!isMcpError(error)) throw error
    switch (error.code) {
      case 'mcp-rpc-error': {
        const named = namedVersions(rpcDetail(error)?.data)
        const modern = named?.find((known) => MODERN_VERSIONS.includes(known))
        if (modern !== undefined && !retried) {
          diagnose('version-retried', modern)
          return probeEra(connection, options, limits, diagnose, true)
        }
        if (named === undefined || named.some((known) => LEGACY_VERSIONS.includes(known)))
          return legacy(`the probe was refused: ${error.message.slice(0, 200)}`)
        throw unsupported(options.name, named)
      }
      case 'mcp-timeout':
        return legacy('the probe got no answer', { certain: connection.wire.transport === 'stdio' })
      case 'mcp-connection-lost':
        if (connection.wire.transport !== 'stdio') throw error
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
}

function namedVersions(data: unknown): readonly string[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { supported } = data as { supported?: unknown }
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : undefined
}

function isEmptyAnswer({ detail }: McpError): boolean {
  return typeof detail === 'object' && detail !== null && (detail as { empty?: unknown }).empty === true
}

const closing = (name: string): McpError => new McpError('mcp-closed', `The connection to ${name} was closed.`)

import { McpError } from '../errors.js'
import { Connection, type ConnectionOptions } from '../upstream/connection.js'
import type { EraName, UpstreamInfo, UpstreamLimits, UpstreamOptions } from '../upstream/upstream.js'
import type { MakeWire } from '../upstream/wire.js'
import { initialize } from './legacy/initialize.js'
import { legacyEra } from './legacy/legacy-era.js'
import { modernEra } from './modern/modern-era.js'
import { type RunningProbe, startProbe } from './probe-era.js'

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

/**
 * Opens a server of either era over one wire: one `server/discover`, then, where that is refused, unknown or unheard
 * for a short time, `initialize` on the same wire.
 */
export async function openLink(makeWire: MakeWire, link: LinkOptions): Promise<Link> {
  const { options, limits } = link
  let connection: Connection | undefined
  const connect = (): Connection => {
    connection = new Connection({ ...link.connection, name: options.name, limits, makeWire, era: legacyEra(undefined) })
    return connection
  }
  const stop = (): void => void connection?.close(closing(options.name))
  link.signal?.addEventListener('abort', stop, { once: true })
  try {
    return link.verdict === 'legacy' ? await shakeHands(connect(), link) : await findOut(connect, link)
  } catch (error) {
    await connection?.close(closing(options.name))
    throw error
  } finally {
    link.signal?.removeEventListener('abort', stop)
  }
}

async function findOut(connect: () => Connection, link: LinkOptions): Promise<Link> {
  const { options, limits } = link
  const { diagnose } = link.connection
  const connection = connect()
  const probe = startProbe(connection, options, limits, diagnose)
  // A server that may speak nothing else is waited for as long as a start may take.
  const patienceMs = options.era === 'modern' ? limits.startTimeoutMs : limits.probeTimeoutMs
  const found = await within(probe.answer, patienceMs)
  if (found === undefined && options.era === 'modern') throw onlyModern(options.name, 'it did not answer')
  if (found === undefined) return whoeverAnswers(connection, probe, link)
  if (found.kind === 'modern') {
    link.onVerdict('modern')
    return { connection, info: found.info }
  }
  if (options.era === 'modern') throw onlyModern(options.name, found.why)
  diagnose('fallback-legacy', found.why)
  if (found.gone) await connection.close(closing(options.name))
  const opened = await shakeHands(found.gone ? connect() : connection, link)
  if (found.certain) link.onVerdict('legacy')
  return opened
}

async function shakeHands(
  connection: Connection,
  { options, limits, connection: { diagnose } }: LinkOptions,
): Promise<Link> {
  connection.era = legacyEra(undefined)
  const info = await initialize(connection, options, limits.startTimeoutMs, diagnose)
  connection.listen()
  return { connection, info }
}

/**
 * Silence may mean an old server, or a new one that is still starting: both questions stand, and the first that is
 * answered decides.
 */
async function whoeverAnswers(connection: Connection, probe: RunningProbe, link: LinkOptions): Promise<Link> {
  const { options, limits } = link
  const { diagnose } = link.connection
  const stop = new AbortController()
  connection.era = legacyEra(undefined)
  const hand = initialize(connection, options, limits.startTimeoutMs, diagnose, stop.signal)
  const modern = probe.answer.then((found) => {
    if (found.kind !== 'modern') throw closing(options.name)
    return found.info
  })
  let info: UpstreamInfo
  try {
    info = await Promise.any([modern, hand])
  } catch {
    // Both failed; what the handshake failed with says more.
    return { connection, info: await hand }
  }
  if (info.era === 'modern') {
    stop.abort()
    hand.catch(() => {})
    connection.era = modernEra(info.version, options)
  } else {
    probe.drop()
    diagnose('fallback-legacy', 'the probe got no answer')
    connection.listen()
  }
  if (info.era === 'modern' || connection.wire.transport === 'stdio') link.onVerdict(info.era)
  return { connection, info }
}

/** Undefined when it takes longer. */
async function within<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const onlyModern = (name: string, why: string): McpError =>
  new McpError(
    'mcp-version-unsupported',
    `${name} is set to the era modern and does not speak it: ${why.replace(/\.$/, '')}.`,
  )

const closing = (name: string): McpError => new McpError('mcp-closed', `The connection to ${name} was closed.`)

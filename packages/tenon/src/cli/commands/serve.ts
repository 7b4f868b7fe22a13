import { dirname } from 'node:path'
import { TaskKeeper } from '@tenon/a2a'
import { isTenonError, type RunId } from '@tenon/kernel'
import type { Host } from '../../host/host.js'
import { openHost } from '../../host/open-host.js'
import { a2aFace } from '../../serve/a2a-face.js'
import { type Gate, openGate } from '../../serve/gate.js'
import { healthFace } from '../../serve/health-face.js'
import { type HttpFace, openHttpSite } from '../../serve/http-site.js'
import { mcpFace } from '../../serve/mcp-face.js'
import { modelsFace } from '../../serve/models/models-face.js'
import { publicAgentNames } from '../../serve/public-agent-names.js'
import { PUSH_PATH, pushFace } from '../../serve/push-face.js'
import { startRetention } from '../../serve/retention.js'
import { runApiFace } from '../../serve/run-api/run-api-face.js'
import { belongsHere } from '../../serve/run-api/runs-of-caller.js'
import { serveKeys } from '../../serve/serve-keys.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { onSignals } from '../on-signals.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'
import { tellConsents } from '../tell-consents.js'
import { tellFailures } from '../tell-failures.js'
import { tellStart } from '../tell-start.js'
import { whileWaiting } from '../while-waiting.js'

export type ServeOptions = CommonOptions & {
  readonly port: number
  readonly host: string
  readonly model?: string
  readonly rehearsal?: string
  readonly workspace?: string
}

/** Where the peers of our agents knock. */
function knocking({ peers, store }: Host, url: string): readonly HttpFace[] {
  if (peers === undefined) return []
  const { seal } = serveKeys(dirname(store.file))
  return [pushFace(peers.listen(`${url}${PUSH_PATH}`, seal))]
}

/** `tenon serve` */
export async function serve(io: Io, options: ServeOptions): Promise<number> {
  const { model, rehearsal, workspace } = options
  const choosing = {
    ...(model === undefined ? {} : { model }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
    ...(workspace === undefined ? {} : { workspace }),
  }
  const opening = openHost({
    ...openRuns(io, options),
    environment: io.environment,
    cwd: io.cwd,
    choosing,
    followSkills: true,
  })
  const host = await whileWaiting(io, options, 'starting up', opening)
  tellStart(host, io, choosing)
  const report = (error: unknown): void => {
    const { code, message } = isTenonError(error) ? error : { code: 'unknown', message: 'an unexpected error' }
    io.stderr.write(`${code}: ${safeText(message)}\n`)
  }
  let stop: () => void = () => undefined
  const told = new Promise<void>((resolve) => {
    stop = resolve
  })
  let signals = 0
  const heard = (): void => {
    signals++
    if (signals === 1) stop()
    // Whoever asks twice does not want to wait for what is under way.
    else void host.engine.close()
  }
  const stopListening = onSignals({ cancel: heard, leave: heard })
  const stopTelling = [tellConsents(host, io), tellFailures(host, io)]
  try {
    const gate = openGate(host.config.serve ?? {}, options.host, report)
    const at = { host: options.host, port: options.port }
    const site = await openHttpSite(
      at,
      gate,
      (url) => facesOf({ host, url, gate, address: options.host, report }),
      report,
    )
    const keeper = new TaskKeeper({
      engine: host.engine,
      store: host.store,
      isOurs: (runId) => isOurs(host, runId),
      report,
    })
    keeper.start()
    const { keep } = host.config.serve ?? {}
    const forget = keep === undefined ? undefined : startRetention({ store: host.store, keepMs: keep, report })
    if (publicAgentNames(host.config).length === 0)
      io.stderr.write('note: No agent is public. Add "public: {}" to the agents that clients may use.\n')
    for (const address of site.addresses) io.stderr.write(`  ${address}\n`)
    io.stdout.write(`${JSON.stringify({ url: site.url })}\n`)
    await told
    keeper.stop()
    forget?.()
    site.leave()
    await host.engine.close({ patienceMs: PATIENCE_MS })
    await site.close()
    return EXIT.completed
  } finally {
    for (const stop of stopTelling) stop()
    stopListening()
    await host.close()
  }
}

/** Milliseconds that effects under way may take to end before the process goes without knowing what became of them. */
const PATIENCE_MS = 10_000

/** Runs of another folder would go on with the agents of this one. */
function isOurs(host: Host, runId: RunId): boolean {
  const run = host.store.runs.get(runId)
  return run !== undefined && belongsHere(host, run)
}

type Place = {
  readonly host: Host
  readonly url: string
  readonly gate: Gate
  readonly address: string
  readonly report: (error: unknown) => void
}

/**
 * Everything on the one port. Taken are `/healthz`, `/.well-known`, `/push`, `/a2a`, `/mcp`, `/v1`, and for the run API
 * `/openapi.json`, `/runs`, `/inbox`, `/artifacts`, `/agents` and `/skills`.
 */
async function facesOf(place: Place): Promise<readonly HttpFace[]> {
  const { host } = place
  const seen = { ...place, url: host.config.serve?.url?.replace(/\/+$/, '') ?? place.url }
  return [
    healthFace,
    ...knocking(host, seen.url),
    mcpFace(seen),
    runApiFace(seen),
    modelsFace(seen),
    ...(publicAgentNames(host.config).length === 0 ? [] : [await a2aFace(seen)]),
  ]
}

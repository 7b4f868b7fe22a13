import { dirname } from 'node:path'
import { isTenonError } from '@tenon/kernel'
import { type Host, openHost } from '../../host/open-host.js'
import { a2aFace } from '../../serve/a2a-face.js'
import { openGate } from '../../serve/gate.js'
import { type HttpFace, openHttpSite } from '../../serve/http-site.js'
import { PUSH_PATH, pushFace } from '../../serve/push-face.js'
import { serveKeys } from '../../serve/serve-keys.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { onSignals } from '../on-signals.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'

export type ServeOptions = CommonOptions & {
  readonly port: number
  readonly host: string
  readonly model?: string
  readonly rehearsal?: string
  readonly workspace?: string
}

/** Where the peers of our agents knock. */
function knocking({ peers, config, store }: Host, url: string): readonly HttpFace[] {
  if (peers === undefined) return []
  const { seal } = serveKeys(dirname(store.file))
  return [pushFace(peers.listen(`${config.serve?.url ?? url}${PUSH_PATH}`, seal))]
}

/** `tenon serve` */
export async function serve(io: Io, options: ServeOptions): Promise<number> {
  const { model, rehearsal, workspace } = options
  const choosing = {
    ...(model === undefined ? {} : { model }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
    ...(workspace === undefined ? {} : { workspace }),
  }
  const host = await openHost({
    ...openRuns(io, options),
    environment: io.environment,
    cwd: io.cwd,
    choosing,
    followSkills: true,
  })
  for (const { message } of host.problems) io.stderr.write(`note: ${safeText(message)}\n`)
  const report = (error: unknown): void => {
    const { code, message } = isTenonError(error) ? error : { code: 'unknown', message: 'an unexpected error' }
    io.stderr.write(`${code}: ${safeText(message)}\n`)
  }
  let stop: () => void = () => undefined
  const told = new Promise<void>((resolve) => {
    stop = resolve
  })
  const stopListening = onSignals({ cancel: stop, leave: stop })
  try {
    const gate = openGate(host.config.serve ?? {}, options.host)
    const at = { address: options.host, gate, report }
    const faces = async (url: string) => [
      ...knocking(host, url),
      await a2aFace({ host, url: host.config.serve?.url ?? url, ...at }),
    ]
    const site = await openHttpSite({ host: options.host, port: options.port }, gate, faces, report)
    io.stdout.write(`${JSON.stringify({ url: site.url })}\n`)
    await told
    await site.close()
    return EXIT.completed
  } finally {
    stopListening()
    await host.close()
  }
}

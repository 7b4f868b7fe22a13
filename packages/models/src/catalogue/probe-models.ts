import { listModels } from '../local/list-models.js'
import type { ModelProbes, NamedModel } from './choose-model.js'
import { LOCAL_SERVERS, localServerById, probeLocalServers } from './local-servers.js'
import { keyInEnvironment } from './model-connection.js'
import { PROVIDERS } from './providers.js'

export type ProbeModelsOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's data folder, in which local models are kept. */
  readonly dataFolder: string
  readonly named?: NamedModel
  readonly rehearsal?: string
  /** Look at every way, as `tenon doctor` does, also when an earlier one settles the choice. */
  readonly everything?: boolean
}

/**
 * Gathers what `chooseModel` decides on. Takes 300 ms at most, and none of it when a name or a key settles it; 2 s with
 * `everything`, where somebody wants to know about a server that is busy.
 */
export async function probeModels(options: ProbeModelsOptions): Promise<ModelProbes> {
  const { env, named, rehearsal } = options
  const server = named === undefined ? undefined : localServerById(named.name.split('/')[0] ?? '')
  const settled = named !== undefined || PROVIDERS.some((provider) => keyInEnvironment(provider, env) !== undefined)
  const wanted = options.everything || !settled ? LOCAL_SERVERS : server === undefined ? [] : [server]
  const [servers, installed] = await Promise.all([
    probeLocalServers({ env, servers: wanted, ...(options.everything ? { timeoutMs: 2_000 } : {}) }),
    listModels(options.dataFolder),
  ])
  return {
    env,
    servers,
    installed: installed.filter((model) => model.kind === 'installed'),
    ...(named === undefined ? {} : { named }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
  }
}

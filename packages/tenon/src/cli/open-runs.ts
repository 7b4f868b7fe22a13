import { openStore, type Store } from '@tenon/store'
import { type LoadedConfig, loadConfig } from '../config/load-config.js'
import { knownNames } from '../host/known-names.js'
import { storeFolder } from '../host/store-folder.js'
import type { CommonOptions, Io } from './io.js'

export type OpenRuns = { readonly store: Store; readonly loaded: LoadedConfig }

/** The configuration that holds here and the store that it names. Close the store afterwards. */
export function openRuns(io: Io, options: CommonOptions): OpenRuns {
  const loaded = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  return { loaded, store: openStore({ dir: storeFolder(options.store, loaded.config, io.environment, io.cwd) }) }
}

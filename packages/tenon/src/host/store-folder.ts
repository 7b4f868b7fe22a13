import { join, resolve } from 'node:path'
import { userDataFolder } from '@tenon/models'
import type { TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'

/** Where runs are kept: as named, else `TENON_STORE`, else as configured, else in the user's data folder. */
export function storeFolder(
  named: string | undefined,
  config: TenonConfig,
  environment: Environment,
  cwd: string,
): string {
  const chosen = named ?? (environment.TENON_STORE || undefined) ?? config.store?.dir
  return chosen === undefined ? join(userDataFolder(environment), 'runs') : resolve(cwd, chosen)
}

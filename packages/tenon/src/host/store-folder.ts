import { join, resolve } from 'node:path'
import { userDataFolder } from '@tenon/models'
import type { TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { HostError } from '../errors.js'

/** Where runs are kept: as named, else `TENON_STORE`, else as configured, else in the user's data folder. @throws HostError `usage` */
export function storeFolder(
  named: string | undefined,
  config: TenonConfig,
  environment: Environment,
  cwd: string,
): string {
  // What a script writes whose variable is not set; it would put a store where the script stands.
  if (named === '') throw new HostError('usage', '--store names no folder. Leave it out for the usual one.')
  const chosen = named ?? (environment.TENON_STORE || undefined) ?? config.store?.dir
  return chosen === undefined ? join(userDataFolder(environment), 'runs') : resolve(cwd, chosen)
}

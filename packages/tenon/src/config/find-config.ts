import { existsSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from './interpolate.js'

export const CONFIG_NAME = 'tenon.yaml'

/** The nearest `tenon.yaml` from a folder upwards. */
export function findConfig(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME)
    if (existsSync(file)) return file
    if (dirname(folder) === folder) return undefined
  }
}

/** Where the user's own defaults stand, by the custom of the platform. */
export function userConfigFile(environment: Environment): string {
  return join(userConfigFolder(environment), 'tenon', CONFIG_NAME)
}

function userConfigFolder(environment: Environment): string {
  if (platform() === 'win32') return environment.APPDATA || join(homedir(), 'AppData', 'Roaming')
  if (environment.XDG_CONFIG_HOME) return environment.XDG_CONFIG_HOME
  return platform() === 'darwin' ? join(homedir(), 'Library', 'Application Support') : join(homedir(), '.config')
}

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
  return join(userFolder(environment, 'config'), CONFIG_NAME)
}

/** Where runs, models and the local runtime are kept, by the custom of the platform. */
export function userDataFolder(environment: Environment): string {
  return userFolder(environment, 'data')
}

const UNIX = { config: ['XDG_CONFIG_HOME', '.config'], data: ['XDG_DATA_HOME', '.local/share'] } as const
const WINDOWS = { config: ['APPDATA', 'AppData/Roaming'], data: ['LOCALAPPDATA', 'AppData/Local'] } as const

function userFolder(environment: Environment, kind: 'config' | 'data'): string {
  const [variable, otherwise] = (platform() === 'win32' ? WINDOWS : UNIX)[kind]
  const named = environment[variable]
  if (named !== undefined && named !== '') return join(named, 'tenon')
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'tenon')
  return join(homedir(), otherwise, 'tenon')
}

import { homedir, platform } from 'node:os'
import { join } from 'node:path'

/** Where local models and their runtime are kept for a user, by the custom of the platform. */
export function userDataFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (platform() === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'tenon')
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, 'tenon')
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'tenon')
  return join(homedir(), '.local', 'share', 'tenon')
}

export const modelsFolder = (dataFolder: string): string => join(dataFolder, 'models')
export const downloadsFolder = (dataFolder: string): string => join(dataFolder, 'downloads')
export const runtimesFolder = (dataFolder: string): string => join(dataFolder, 'runtimes')

import { resolve } from 'node:path'
import type { ScriptGrants } from '@tenon/skills'
import type { SkillsConfig } from '../config/config-table.js'
import type { Secret } from '../config/secret.js'

/**
 * What the scripts of a skill are granted by the configuration. Secrets are read when a script is started; folders are
 * relative to the configuration.
 */
export function scriptGrants(config: SkillsConfig, folder: string, skill: string): ScriptGrants {
  const { env, network, folders, workspace, time, memory } = config.grants?.[skill] ?? {}
  return {
    ...(env === undefined ? {} : { env: () => revealed(env) }),
    ...(network === undefined ? {} : { network }),
    ...(folders === undefined ? {} : { folders: folders.map((path) => resolve(folder, path)) }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(time === undefined ? {} : { timeMs: time }),
    ...(memory === undefined ? {} : { memory: memory * 1024 * 1024 }),
  }
}

export const revealed = (env: Readonly<Record<string, Secret>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.reveal()]))

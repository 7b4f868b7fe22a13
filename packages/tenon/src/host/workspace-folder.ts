import { isAbsolute, relative, resolve } from 'node:path'
import type { LoadedConfig } from '../config/load-config.js'

/** The folder that file tools are confined to: as named, else as configured, else where the configuration stands. */
export function workspaceFolder(named: string | undefined, loaded: LoadedConfig, cwd: string): string {
  if (named !== undefined) return resolve(cwd, named)
  return loaded.config.tools?.workspace ?? loaded.folder
}

/** Where instructions are looked for: where the user stands, as long as that is in the workspace. */
export function workingFolder(cwd: string, workspace: string): string {
  const inside = relative(workspace, cwd)
  return inside.startsWith('..') || isAbsolute(inside) ? workspace : cwd
}

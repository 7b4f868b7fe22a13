import { resolve } from 'node:path'
import type { Io } from '../cli/io.js'
import type { LoadedConfig } from '../config/load-config.js'
import { loadConfig } from '../config/load-config.js'
import { knownNames } from '../host/known-names.js'
import { workingFolder, workspaceFolder } from '../host/workspace-folder.js'
import { type OpenSkills, openSkills } from './open-skills.js'
import { servedBefore } from './served-skills.js'

export type PlaceOptions = { readonly config?: string; readonly workspace?: string }

export type SkillsOfPlace = { readonly skills: OpenSkills; readonly loaded: LoadedConfig; readonly workspace: string }

/** The skills that a run started here would see, those of servers as they were last brought here. Starts nothing. */
export async function skillsOfPlace(io: Io, options: PlaceOptions): Promise<SkillsOfPlace> {
  const loaded = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const workspace = workspaceFolder(options.workspace, loaded, io.cwd)
  const config = loaded.config.skills ?? {}
  const folders = config.folders?.map((folder) => resolve(loaded.folder, folder))
  const skills = await openSkills({
    config: folders === undefined ? config : { ...config, folders },
    environment: io.environment,
    cwd: workingFolder(io.cwd, workspace),
    workspace,
    folder: loaded.folder,
    sandbox: loaded.config.sandbox ?? {},
    served: {
      roots: servedBefore(Object.keys(loaded.config.mcp?.servers ?? {}), io.environment, loaded.folder),
      problems: [],
    },
  })
  return { skills, loaded, workspace }
}

import type { Artifacts, Tool, Trust } from '@tenon/kernel'
import { askUserTool } from './ask-user.js'
import { editFileTool } from './edit-file.js'
import { listFilesTool } from './list-files.js'
import { readArtifactTool } from './read-artifact.js'
import { readFileTool } from './read-file.js'
import { saveArtifactTool } from './save-artifact.js'
import { searchFilesTool } from './search-files.js'
import { todoTool } from './todo.js'
import { fetchUrlTool } from './web/fetch-url.js'
import { Workspace } from './workspace.js'
import { writeFileTool } from './write-file.js'

export type BuiltinOptions = {
  /** The folder that file tools are confined to. Without one there are no file tools. */
  readonly workspace?: string | Workspace
  /** How far files of the workspace may be believed. `untrusted` if absent. */
  readonly fileTrust?: Trust
  /** Hosts that fetch_url may reach although they are not public: `localhost:3000`, `wiki.internal`. */
  readonly fetchAllow?: readonly string[]
  /** Where large outputs are kept; without it there is no read_artifact. */
  readonly artifacts?: Artifacts
}

/** The tools that come with Tenon. @throws HostError when the workspace cannot be used */
export function builtinTools(options: BuiltinOptions = {}): readonly Tool[] {
  const { workspace, fileTrust = 'untrusted', fetchAllow = [], artifacts } = options
  return Object.freeze([
    ...(workspace === undefined ? [] : fileTools(toWorkspace(workspace), fileTrust)),
    fetchUrlTool({ allowed: fetchAllow }),
    askUserTool(),
    todoTool(),
    ...(artifacts === undefined ? [] : [readArtifactTool(artifacts)]),
    ...(artifacts === undefined || workspace === undefined
      ? []
      : [saveArtifactTool(toWorkspace(workspace), artifacts)]),
  ])
}

const toWorkspace = (workspace: string | Workspace): Workspace =>
  typeof workspace === 'string' ? new Workspace(workspace) : workspace

const fileTools = (workspace: Workspace, trust: Trust): readonly Tool[] => [
  listFilesTool(workspace, trust),
  readFileTool(workspace, trust),
  searchFilesTool(workspace, trust),
  writeFileTool(workspace),
  editFileTool(workspace),
]

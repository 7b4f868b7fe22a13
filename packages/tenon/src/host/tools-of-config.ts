import type { Tool } from '@tenon/kernel'
import { builtinTools } from '../tools/builtin-tools.js'
import type { AgentSurroundings } from './agent-of-config.js'

/** The tools that come with Tenon, as the configuration bounds them and switches them. */
export function toolsOfConfig({ config, workspace, store }: AgentSurroundings): readonly Tool[] {
  const switches = config.tools?.builtin ?? {}
  return builtinTools({ workspace, artifacts: store.artifacts }).filter(({ name }) => switches[name] !== false)
}

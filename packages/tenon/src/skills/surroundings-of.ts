import type { Surroundings } from '@tenon/skills'
import type { TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'

export type Around = {
  readonly config: TenonConfig
  readonly tools: Iterable<string>
  readonly skills: Iterable<string>
  readonly environment: Environment
}

/** What there is around the skills of a project. A colleague is a peer or an agent of this configuration. */
export const surroundingsOf = ({ config, tools, skills, environment }: Around): Surroundings => ({
  tools: new Set(tools),
  servers: new Set(Object.keys(config.mcp?.servers ?? {})),
  peers: new Set([...Object.keys(config.peers ?? {}), ...Object.keys(config.agents ?? {})]),
  skills: new Set(skills),
  environment,
})

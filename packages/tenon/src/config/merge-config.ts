import type { PolicyConfig, TenonConfig } from './config-table.js'

/** A project's configuration over the user's defaults: by name, the project's entry stands. */
export function mergeConfig(user: TenonConfig, project: TenonConfig): TenonConfig {
  const policy = mergePolicy(user.policy, project.policy)
  return {
    ...user,
    ...project,
    ...(user.agents || project.agents ? { agents: { ...user.agents, ...project.agents } } : {}),
    ...(user.models || project.models ? { models: { ...user.models, ...project.models } } : {}),
    ...(user.tools || project.tools
      ? {
          tools: {
            ...user.tools,
            ...project.tools,
            builtin: { ...user.tools?.builtin, ...project.tools?.builtin },
          },
        }
      : {}),
    ...(user.mcp || project.mcp
      ? {
          mcp: {
            ...user.mcp,
            ...project.mcp,
            servers: { ...user.mcp?.servers, ...project.mcp?.servers },
            import: [...(user.mcp?.import ?? []), ...(project.mcp?.import ?? [])],
          },
        }
      : {}),
    ...(policy === undefined ? {} : { policy }),
  }
}

/** The user's rules are looked at first: a project that came from elsewhere cannot allow what its user denies or asks. */
function mergePolicy(user: PolicyConfig | undefined, project: PolicyConfig | undefined): PolicyConfig | undefined {
  if (user === undefined || project === undefined) return project ?? user
  const otherwise = project.otherwise ?? user.otherwise
  return {
    rules: [...(user.rules ?? []), ...(project.rules ?? [])],
    ...(otherwise === undefined ? {} : { otherwise }),
  }
}

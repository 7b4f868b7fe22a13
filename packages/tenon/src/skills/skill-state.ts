import { join } from 'node:path'
import type { Skill } from '@tenon/skills'

/** How a skill stands, in a few words. */
export function skillState(skill: Skill): string {
  if (!skill.loadable) return 'cannot be used'
  if (skill.shadowedBy !== undefined) return 'shadowed'
  const { byModel, byUser } = skill.invocation
  if (byModel && byUser) return 'ready'
  return byUser ? 'ready, by the user only' : byModel ? 'ready, by the model only' : 'switched off by itself'
}

/** Where a skill lies, as it was found, and the server that it came from. */
export function skillPlace({ root, path }: Skill): string {
  const place = join(root.path, path)
  return root.server === undefined ? place : `${place} (from ${root.server})`
}

/** A skill as data, for programs. */
export function skillRecord(skill: Skill): Readonly<Record<string, unknown>> {
  const { name, description, file, loadable, strictlyValid, modelVisible, resources, allowedTools, diagnostics } = skill
  return {
    name,
    state: skillState(skill),
    folder: join(skill.root.path, skill.path),
    file,
    scope: skill.root.scope,
    ...(skill.root.server === undefined ? {} : { server: skill.root.server }),
    description: description ?? null,
    loadable,
    strictlyValid,
    modelVisible,
    ...(skill.shadowedBy === undefined ? {} : { shadowedBy: skill.shadowedBy }),
    allowedTools,
    resources,
    bodyTokens: skill.bodyTokens,
    invocation: skill.invocation,
    diagnostics,
  }
}

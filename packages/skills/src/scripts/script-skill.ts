import type { Effect } from '@tenon/kernel'
import type { LoadedSkill } from '../loading/skill.js'

/** What is needed of a skill to run its scripts. */
export type ScriptSkill = Pick<LoadedSkill, 'name' | 'folder' | 'resources' | 'metadata'>

/** What a user lets a skill's scripts have beyond their own folder. Without a grant there is nothing. */
export type ScriptGrants = {
  /** Variables with their values. Called when the script is started, so that secrets are read at the last moment. */
  readonly env?: () => Readonly<Record<string, string>>
  /** Hosts that may be reached, as `host` (its web ports) or `host:port`. */
  readonly network?: readonly string[]
  /** Absolute folders that may be read; they lie at the same paths inside. */
  readonly folders?: readonly string[]
  /** The workspace, at `/workspace` where the sandbox has a file tree of its own. */
  readonly workspace?: 'read' | 'write'
  /** Milliseconds. */
  readonly timeMs?: number
  /** Bytes. */
  readonly memory?: number
}

const SCRIPT = /\.(?:py|js|mjs|cjs|sh|bash|rb|pl|php|lua|r)$/i

/** The files of a skill that can be run: what lies in `scripts/`, and what has the extension of a script. */
export const scriptsOf = (skill: ScriptSkill): readonly string[] =>
  skill.resources.filter((path) => SCRIPT.test(path) || /^scripts\/[^/.]+$/.test(path))

const EFFECTS: readonly string[] = ['pure', 'idempotent', 'once'] satisfies readonly Effect[]
const isEffect = (value: unknown): value is Effect => typeof value === 'string' && EFFECTS.includes(value)

/**
 * What running a script again would do, as the skill declares it in its metadata:
 * `script-effects: "scripts/check.py=pure scripts/render.py=idempotent"`, or a map of the same. `once` where it says
 * nothing.
 */
export function declaredEffect(skill: ScriptSkill, script: string): Effect {
  const { metadata } = skill
  if (typeof metadata !== 'object' || metadata === null || !('script-effects' in metadata)) return 'once'
  const declared = metadata['script-effects']
  const pairs =
    typeof declared === 'string'
      ? declared.split(/[\s,;]+/).map((pair) => pair.split('='))
      : Object.entries(typeof declared === 'object' && declared !== null ? declared : {})
  const effect = pairs.find(([name]) => name === script)?.[1]
  return isEffect(effect) ? effect : 'once'
}

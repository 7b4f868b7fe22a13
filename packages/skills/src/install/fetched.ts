import type { PickedSkill } from './pick-skill.js'

/** A skill as its source gives it, and which state of the source that is. */
export type Fetched = { readonly picked: PickedSkill; readonly ref?: string }

export type FetchOptions = {
  /** An empty folder for what has to be brought here first. */
  readonly temporary: string
  /** Which skill, where there are several. */
  readonly skill: string | undefined
  readonly signal?: AbortSignal
}

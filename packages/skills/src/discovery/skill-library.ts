import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { loadSkill, type SkillReading, unreadSkill } from '../loading/load-skill.js'
import type { LoadedSkill, Skill, SkillRoot } from '../loading/skill.js'
import { isInside } from '../loading/skill-files.js'
import { type FoundSkill, findSkills, type RootSearch } from './find-skills.js'
import { resolveNames, rootOrder, unshadowed } from './resolve-names.js'
import { isUnchanged, type Stamp, stampOf } from './stamp.js'

type Held = { readonly skill: LoadedSkill; readonly stamps: ReadonlyMap<string, Stamp | undefined> }
type Searched = { readonly search: RootSearch; readonly stamps: ReadonlyMap<string, Stamp | undefined> }

/** What a library holds at one moment. It never changes; a reload makes a new one. */
export type SkillSet = {
  /** In order of precedence, with those that cannot be used. */
  readonly skills: readonly Skill[]
  /** Those that can be activated, by their names. */
  readonly byName: ReadonlyMap<string, Skill>
  /** What was not searched, in words. */
  readonly notices: readonly string[]
}

const EMPTY: SkillSet = { skills: [], byName: new Map(), notices: [] }

/**
 * The skills below some roots, kept up to date: a reload looks at time stamps and reads what changed. Never throws for
 * what the folders hold.
 */
export class SkillLibrary {
  readonly roots: readonly SkillRoot[]
  readonly #searched = new Map<string, Searched>()
  readonly #held = new Map<string, Held>()
  #set = EMPTY
  /** Something was read or forgotten since the names were resolved. */
  #dirty = true
  #loading: Promise<SkillSet> | undefined

  constructor(roots: readonly SkillRoot[]) {
    this.roots = [...roots].sort(rootOrder)
  }

  /** As of the last load. */
  get current(): SkillSet {
    return this.#set
  }

  /** Loads what is new or has changed, in slices, so that a large library does not hold up everything else. */
  load(): Promise<SkillSet> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Loads what a change at this path can have touched. Cheap: no other skill is looked at. */
  changed(path: string): SkillSet {
    const real = nearestReal(path)
    const place = [...this.#held.values()].find(({ skill }) => isInside(skill.folder, real))
    const root = this.roots.find(({ path: at }) => isInside(nearestReal(at), real))
    if (place !== undefined && stillASkill(place.skill)) {
      const { root: owner, folder, path: at, file } = place.skill
      this.#read({ root: owner, folder, path: at, file })
      const now = this.#held.get(folder)?.skill
      if (now !== undefined && this.#replace(place.skill, now)) return this.#set
    } else if (root !== undefined) {
      this.#searched.delete(root.path)
      for (const found of this.#claims()) this.#refresh(found)
      this.#forgetLost()
    } else return this.#set
    return this.#resolve()
  }

  async #load(): Promise<SkillSet> {
    let since = performance.now()
    for (const found of this.#claims()) {
      this.#refresh(found)
      if (performance.now() - since > SLICE_MS) {
        await setImmediate()
        since = performance.now()
      }
    }
    if (this.#dirty) this.#forgetLost()
    return this.#resolve()
  }

  /** What the roots hold, in their order: a folder that two of them lead to belongs to the first. */
  *#claims(): Generator<FoundSkill> {
    const claimed = new Set<string>()
    for (const root of this.roots)
      for (const found of this.#search(root).skills) {
        if (claimed.has(found.folder)) continue
        claimed.add(found.folder)
        yield found
      }
  }

  #search(root: SkillRoot): RootSearch {
    const known = this.#searched.get(root.path)
    if (known !== undefined && sameStamps(known.stamps)) return known.search
    this.#dirty = true
    const missing = stampOf(root.path)
    const search = findSkills(root)
    const stamps = new Map([[root.path, missing], ...search.folders])
    const skills = search.skills.map(({ look: _, ...found }) => found)
    this.#searched.set(root.path, { search: { ...search, skills }, stamps })
    return search
  }

  #refresh(found: FoundSkill): void {
    const held = this.#held.get(found.folder)
    if (
      held !== undefined &&
      held.skill.root === found.root &&
      held.skill.path === found.path &&
      sameStamps(held.stamps)
    )
      return
    this.#read(found)
  }

  #read(found: FoundSkill): void {
    this.#dirty = true
    const { root, folder, path, file, look } = found
    const own = join(folder, file)
    const stamps = new Map([
      [folder, look === undefined ? stampOf(folder) : look.stamp],
      [own, stampOf(own)],
    ])
    if (!root.trusted) {
      this.#held.set(folder, { skill: unreadSkill({ root, folder, path }, file), stamps })
      return
    }
    const reading = readSafely(found)
    if (reading === undefined) {
      this.#held.delete(folder)
      return
    }
    for (const inside of reading.folders) stamps.set(join(folder, inside), stampOf(join(folder, inside)))
    this.#held.set(folder, { skill: reading.skill, stamps })
  }

  #forgetLost(): void {
    const found = new Set<string>()
    for (const { search } of this.#searched.values()) for (const { folder } of search.skills) found.add(folder)
    for (const folder of this.#held.keys()) if (!found.has(folder)) this.#held.delete(folder)
  }

  /** A skill that is read anew and keeps its name keeps its place: the others need not be looked at. */
  #replace(before: LoadedSkill, now: LoadedSkill): boolean {
    const { skills, byName } = this.#set
    const at = skills.findIndex(({ folder }) => folder === before.folder)
    if (before.name !== now.name || !before.loadable || !now.loadable || byName.get(now.name) !== skills[at])
      return false
    const skill = unshadowed(now)
    this.#set = Object.freeze({
      ...this.#set,
      skills: skills.with(at, skill),
      byName: new Map(byName).set(now.name, skill),
    })
    this.#dirty = false
    return true
  }

  #resolve(): SkillSet {
    if (!this.#dirty) return this.#set
    this.#dirty = false
    const skills = resolveNames([...this.#held.values()].map(({ skill }) => skill))
    const byName = new Map<string, Skill>()
    for (const skill of skills) if (skill.loadable && skill.shadowedBy === undefined) byName.set(skill.name, skill)
    const notices = [...this.#searched.values()].flatMap(({ search }) => search.notices)
    this.#set = Object.freeze({ skills, byName, notices })
    return this.#set
  }
}

const SLICE_MS = 20

function sameStamps(stamps: ReadonlyMap<string, Stamp | undefined>): boolean {
  for (const [path, stamp] of stamps) if (!isUnchanged(stamp, stampOf(path))) return false
  return true
}

/** A folder that vanishes between search and reading is no skill any more. */
function readSafely({ root, folder, path, look }: FoundSkill): SkillReading | undefined {
  try {
    return loadSkill({ root, folder, path }, look?.entries)
  } catch {
    return undefined
  }
}

const stillASkill = ({ folder, file }: LoadedSkill): boolean => stampOf(join(folder, file)) !== undefined

/** The real path of what is there, or of the nearest folder above that is. */
function nearestReal(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = join(path, '..')
    return above === path ? path : nearestReal(above)
  }
}

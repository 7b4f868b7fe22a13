import { estimateTokens } from '@tenon/kernel'
import type { Skill } from '../loading/skill.js'
import { catalogueEntry } from './catalogue-text.js'
import type { SkillIndex } from './skill-index.js'

/** What a model is told of the skills that there are, and what was left out to keep to the budget. */
export type Catalogue = {
  readonly text: string
  readonly tokens: number
  readonly budget: number
  /** Skills with their whole description. */
  readonly full: number
  /** Skills whose description was cut. */
  readonly shortened: number
  /** Skills of which only the name stands there. */
  readonly named: number
  /** Skills that only a search finds. */
  readonly searchable: number
}

export type CatalogueOptions = {
  /** Tokens that the catalogue may take. */
  readonly budget: number
  readonly index: SkillIndex
  /** What is wanted, where it is known: skills that fit it shrink last. */
  readonly goal?: string
}

export const CATALOGUE_BUDGET = 4_000

const SHORT = 100
const HEAD = [
  'Skills hold methods for certain tasks. When one fits what is asked, call activate_skill with its name before you begin, and work as it says.',
  '<available_skills>',
]
const FOOT = '</available_skills>'
const SEARCH = 'Not every skill stands here in full: search_skills finds skills by what they are for.'

/**
 * The catalogue of the skills that a model may activate, under a budget. Where it is short, the least relevant shrink
 * first: their description is cut, then they are a name, then they are left to the search. Undefined without skills.
 */
export function catalogueOf(skills: readonly Skill[], options: CatalogueOptions): Catalogue | undefined {
  const visible = skills.filter(({ modelVisible }) => modelVisible)
  if (visible.length === 0) return undefined
  const room = options.budget - tokensOf([...HEAD, FOOT].join('\n')) - tokensOf(SEARCH)
  const levels = shrink(byRelevance(visible, options), room)
  const entries: string[] = []
  const counts = [0, 0, 0, 0]
  for (const skill of visible) {
    const level = levels.get(skill) ?? 0
    counts[level] = (counts[level] ?? 0) + 1
    const entry = entryAt(skill, level)
    if (entry !== undefined) entries.push(entry)
  }
  const [full = 0, shortened = 0, named = 0, searchable = 0] = counts
  const text = [...HEAD, ...entries, FOOT, ...(full === visible.length ? [] : [SEARCH])].join('\n')
  return { text, tokens: tokensOf(text), budget: options.budget, full, shortened, named, searchable }
}

/** 0 in full, 1 shortened, 2 a name, 3 left out. */
const LEVELS = [0, 1, 2, 3] as const

/**
 * From the least relevant on each skill gives way one step, round after round, until all of them fit. Those that fit the
 * goal give way only when the others are gone.
 */
function shrink({ fitting, others }: Ranked, room: number): ReadonlyMap<Skill, number> {
  const levels = new Map<Skill, number>()
  let used = 0
  for (const skill of [...fitting, ...others]) used += costAt(skill, 0)
  for (const group of [others, fitting])
    for (const level of LEVELS.slice(1))
      for (let index = group.length - 1; index >= 0 && used > room; index--) {
        const skill = group[index]
        if (skill === undefined) continue
        used += costAt(skill, level) - costAt(skill, level - 1)
        levels.set(skill, level)
      }
  return levels
}

function entryAt(skill: Skill, level: number): string | undefined {
  const { description = '' } = skill
  if (level === 0) return catalogueEntry(skill, description)
  if (level === 1) return catalogueEntry(skill, shortened(description))
  return level === 2 ? catalogueEntry(skill, undefined) : undefined
}

function costAt(skill: Skill, level: number): number {
  const entry = entryAt(skill, level)
  return entry === undefined ? 0 : tokensOf(`${entry}\n`)
}

/** Cut between words where there are some, and never inside a character. */
function shortened(description: string): string {
  const signs = [...description]
  if (signs.length <= SHORT) return description
  const cut = signs.slice(0, SHORT).join('')
  const blank = cut.lastIndexOf(' ')
  return `${blank > SHORT / 2 ? cut.slice(0, blank) : cut}…`
}

type Ranked = { readonly fitting: readonly Skill[]; readonly others: readonly Skill[] }

const MAX_FITTING = 20

function byRelevance(visible: readonly Skill[], { index, goal }: CatalogueOptions): Ranked {
  const hits = goal === undefined ? [] : index.search(goal, MAX_FITTING)
  const fitting = new Set(hits.map(({ skill }) => skill).filter(({ modelVisible }) => modelVisible))
  return { fitting: [...fitting], others: visible.filter((skill) => !fitting.has(skill)) }
}

const tokensOf = (text: string): number => estimateTokens(text)

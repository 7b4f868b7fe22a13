import type { Skill } from '../loading/skill.js'
import { wordsOf } from './tokens-of-text.js'

export type SkillHit = { readonly skill: Skill; readonly score: number }

type Posting = { readonly at: number; readonly weight: number }

/** Words of a name say more than those of a description; tags and triggers stand between. */
const WEIGHTS = { name: 3, tags: 2, description: 1 } as const
const K1 = 1.2
const B = 0.6
/** Shares of a word that is only near: the beginning of another, or one with a slip. */
const BEGINNING = 0.6
const SLIP = 0.4

/** Finds skills by what they say they are for: Okapi BM25 over name, tags and description. Immutable. */
export class SkillIndex {
  readonly #postings = new Map<string, Posting[]>()
  readonly #lengths: number[] = []
  readonly #mean: number

  constructor(readonly skills: readonly Skill[]) {
    for (const [at, skill] of skills.entries()) {
      const weights = new Map<string, number>()
      let length = 0
      for (const [text, weight] of fieldsOf(skill))
        for (const word of wordsOf(text)) {
          weights.set(word, (weights.get(word) ?? 0) + weight)
          length += weight
        }
      for (const [word, weight] of weights) {
        const postings = this.#postings.get(word)
        if (postings === undefined) this.#postings.set(word, [{ at, weight }])
        else postings.push({ at, weight })
      }
      this.#lengths.push(length)
    }
    this.#mean = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, skills.length)
  }

  /** The best first; of equal ones the one that goes before. Nothing that has no word in common. */
  search(query: string, limit: number): readonly SkillHit[] {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query)))
      for (const [known, share] of this.#meant(word)) this.#add(scores, known, share)
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, limit)
      .flatMap(([at, score]) => {
        const skill = this.skills[at]
        return skill === undefined ? [] : [{ skill, score }]
      })
  }

  #add(scores: Map<number, number>, word: string, share: number): void {
    const postings = this.#postings.get(word) ?? []
    const rarity = Math.log(1 + (this.skills.length - postings.length + 0.5) / (postings.length + 0.5))
    for (const { at, weight } of postings) {
      const length = (this.#lengths[at] ?? 0) / this.#mean
      const gain = (rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B + B * length))
      scores.set(at, (scores.get(at) ?? 0) + gain * share)
    }
  }

  /** The word itself where any skill has it; else the words that it may have been meant for. */
  #meant(word: string): readonly (readonly [string, number])[] {
    if (this.#postings.has(word)) return [[word, 1]]
    if (word.length < 4) return []
    const near: [string, number][] = []
    for (const known of this.#postings.keys()) {
      if (known.length < 3) continue
      if (known.startsWith(word) || word.startsWith(known)) near.push([known, BEGINNING])
      else if (Math.abs(known.length - word.length) <= 1 && isOneSlip(known, word)) near.push([known, SLIP])
    }
    return near
  }
}

function fieldsOf(skill: Skill): readonly (readonly [string, number])[] {
  const tags = ['tags', 'triggers', 'keywords', 'when_to_use'].map((key) => flat(skill.extra.get(key))).join(' ')
  return [
    [skill.name, WEIGHTS.name],
    [tags, WEIGHTS.tags],
    [skill.description ?? '', WEIGHTS.description],
  ]
}

const flat = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string').join(' ')
      : ''

/** One letter more, less, changed, or two swapped. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  if (endA - start <= 1 && endB - start <= 1) return true
  return endA - start === 2 && endB - start === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}

import { isJsonObject, type Tool } from '@tenon/kernel'

type Indexed = { readonly tool: Tool; readonly words: ReadonlyMap<string, number>; readonly length: number }

/** Finds tools by words: BM25 over name, title, description and the names of their arguments. */
export class ToolIndex {
  readonly #entries: readonly Indexed[]
  readonly #rarity = new Map<string, number>()
  readonly #mean: number

  constructor(tools: readonly Tool[]) {
    this.#entries = tools.map(indexed)
    const counts = new Map<string, number>()
    for (const { words } of this.#entries)
      for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
    const total = this.#entries.length
    for (const [word, count] of counts) this.#rarity.set(word, Math.log(1 + (total - count + 0.5) / (count + 0.5)))
    this.#mean = this.#entries.reduce((sum, { length }) => sum + length, 0) / Math.max(total, 1)
  }

  /** Best first; tools that share no word with the query are left out. */
  search(query: string, most: number): readonly Tool[] {
    const wanted = new Set(wordsOf(query))
    const scored = this.#entries.map((entry) => ({ entry, score: this.#score(entry, wanted) }))
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ entry }) => entry.tool)
  }

  #score({ words, length }: Indexed, wanted: ReadonlySet<string>): number {
    let score = 0
    for (const word of wanted) {
      const count = words.get(word) ?? 0
      if (count === 0) continue
      const norm = 0.25 + 0.75 * (length / this.#mean)
      score += ((this.#rarity.get(word) ?? 0) * count * 2.2) / (count + 1.2 * norm)
    }
    return score
  }
}

function indexed(tool: Tool): Indexed {
  const words = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      words.set(word, (words.get(word) ?? 0) + weight)
      length++
    }
  }
  add(tool.name, 3)
  add(tool.title ?? '', 2)
  add(tool.description, 1)
  const { properties } = tool.input.json
  if (isJsonObject(properties)) for (const name of Object.keys(properties)) add(name, 1)
  return { tool, words, length }
}

function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?:ies|es|s)$/, '') : word,
  )
}

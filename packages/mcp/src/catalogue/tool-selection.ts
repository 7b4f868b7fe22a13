import { type SchemaCompiler, type Tool, text } from '@tenon/kernel'
import { definitionTokens } from './definition-tokens.js'
import { ToolIndex } from './rank-tools.js'

const FOUND = 5
const MOST_FOUND = 20
const DESCRIPTION = 300

/**
 * What of a large catalogue an agent is offered. Within the budget everything; past it `search_tools`, and what was
 * found with it, the latest findings first to stay.
 */
export class ToolSelection {
  #search: Tool | undefined
  readonly #found = new Set<string>()
  #all: readonly Tool[] = []
  #tools: readonly Tool[] = []
  #index: ToolIndex | undefined

  constructor(
    /** Tokens of definitions. */
    readonly budget: number,
    readonly compile: SchemaCompiler,
    readonly onChange: () => void,
  ) {}

  get tools(): readonly Tool[] {
    return this.#tools
  }

  offer(all: readonly Tool[]): void {
    this.#all = all
    this.#index = undefined
    this.#choose()
  }

  /** Made when a catalogue is first past the budget: most never are, and what compiles schemas takes its time to load. */
  #searchTool(): Tool {
    this.#search ??= Object.freeze({
      name: 'search_tools',
      title: 'Search tools',
      description:
        'Finds tools of the connected servers by what they do. Not all tools are listed: search before you say that something cannot be done. What is found can be called from the next step on.',
      input: this.compile({
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What the tool should do, in a few words.' },
          limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, description: `How many, ${FOUND} if absent.` },
        },
        required: ['query'],
        additionalProperties: false,
      }),
      effect: 'pure',
      origin: { kind: 'function', name: 'search_tools' },
      trust: 'untrusted',
      run: ({ query, limit }) => this.#run(String(query), typeof limit === 'number' ? limit : FOUND),
    } satisfies Tool)
    return this.#search
  }

  #run(query: string, limit: number) {
    this.#index ??= new ToolIndex(this.#all)
    const found = this.#index.search(query, limit)
    for (const { name } of found) {
      this.#found.delete(name)
      this.#found.add(name)
    }
    if (found.length > 0) this.#choose()
    const lines = found.map(({ name, description }) => `${name}: ${description.slice(0, DESCRIPTION)}`)
    const said = found.length === 0 ? `No tool fits "${query}". Try other words.` : lines.join('\n')
    return { kind: 'result' as const, content: [text(said)], value: found.map(({ name }) => name) }
  }

  #choose(): void {
    const before = this.#tools
    const tokens = this.#all.reduce((sum, tool) => sum + tokensOf(tool), 0)
    const next = tokens <= this.budget ? this.#all : [this.#searchTool(), ...this.#keepFound()]
    if (sameList(before, next)) return
    this.#tools = next
    this.onChange()
  }

  #keepFound(): readonly Tool[] {
    let left = this.budget
    const kept = new Set<string>()
    for (const name of [...this.#found].reverse()) {
      const tool = this.#all.find((one) => one.name === name)
      if (tool === undefined) continue
      left -= tokensOf(tool)
      if (left < 0) break
      kept.add(name)
    }
    return this.#all.filter(({ name }) => kept.has(name))
  }
}

const weights = new WeakMap<Tool, number>()

function tokensOf(tool: Tool): number {
  let known = weights.get(tool)
  if (known === undefined) {
    known = definitionTokens(tool.name, tool.description, tool.input.json)
    weights.set(tool, known)
  }
  return known
}

const sameList = (a: readonly Tool[], b: readonly Tool[]): boolean =>
  a.length === b.length && a.every((tool, index) => tool === b[index])

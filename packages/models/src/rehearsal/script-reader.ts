import type { Json } from '@tenon/kernel'
import type { TextCondition } from './rehearsal.js'

export type Path = readonly (string | number)[]

/** Something in a script that cannot be used, and what to write instead. */
export type ScriptProblem = { readonly path: Path; readonly message: string }

/** Takes values of known kinds out of a parsed script and keeps what is wrong, so that all of it can be told at once. */
export class ScriptReader {
  readonly problems: ScriptProblem[] = []

  problem(path: Path, message: string): void {
    this.problems.push({ path, message })
  }

  /** An object; with `known`, one that has no other keys. */
  object(value: Json, path: Path, known?: readonly string[]): Record<string, Json> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problem(path, `${named(path)} holds ${known ? `the keys ${known.join(', ')}` : 'keys and values'}`)
      return {}
    }
    const object = value as Record<string, Json>
    if (known !== undefined)
      for (const key of Object.keys(object))
        if (!known.includes(key)) this.problem([...path, key], `no such key "${key}": known are ${known.join(', ')}`)
    return object
  }

  list(value: Json | undefined, path: Path, wanted: string): readonly Json[] {
    if (Array.isArray(value)) return value as readonly Json[]
    this.problem(path, `${named(path)} is a list: ${wanted}`)
    return []
  }

  text(value: Json | undefined, path: Path, wanted: string): string {
    if (typeof value === 'string' && value !== '') return value
    this.problem(path, wanted)
    return ''
  }

  texts(value: Json | undefined, path: Path): readonly string[] {
    if (value === undefined) return []
    const list = typeof value === 'string' ? [value] : value
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list as readonly string[]
    this.problem(path, `${named(path)} is a text or a list of texts`)
    return []
  }

  positive(value: Json | undefined, path: Path): number | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'number' && value > 0) return value
    this.problem(path, `${named(path)} is a number above 0`)
    return undefined
  }

  pointer(value: Json, path: Path): string {
    if (typeof value === 'string' && (value === '' || value.startsWith('/'))) return value
    this.problem(path, 'a JSON pointer such as /items/0/id (the empty one is the whole result)')
    return ''
  }

  /** A text alone means `contains`. */
  condition(value: Json | undefined, path: Path): TextCondition | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'string') return { contains: [value] }
    const { contains, matches, equals } = this.object(value, path, ['contains', 'matches', 'equals'])
    return {
      ...(contains === undefined ? {} : { contains: this.texts(contains, [...path, 'contains']) }),
      ...(equals === undefined ? {} : { equals: this.text(equals, [...path, 'equals'], '`equals` is text') }),
      ...(matches === undefined ? {} : this.#pattern(matches, [...path, 'matches'])),
    }
  }

  #pattern(value: Json, path: Path): { readonly matches?: RegExp } {
    try {
      return { matches: new RegExp(this.text(value, path, '`matches` is a regular expression'), 'mu') }
    } catch (cause) {
      this.problem(path, `not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`)
      return {}
    }
  }
}

const named = (path: Path): string => (path.length === 0 ? 'a rehearsal' : `\`${path.at(-1)}\``)

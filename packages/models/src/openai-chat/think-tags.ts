import type { Diagnostic } from '../wire/diagnostic.js'

/** `leading`: a thought may stand in tags at the start. `template`: its opening tag may be missing. */
export type ThinkTags = 'leading' | 'template' | 'off'

export type SplitText = {
  readonly thought: string
  readonly text: string
  /** All that stood before the text, tags and white space included. */
  readonly written: string
  readonly diagnostics: readonly Diagnostic[]
}

const OPENING = /^\s*<(think|thinking|thought)>/i
const CLOSING = /<\/(think|thinking|thought)>/i

/**
 * Parts the thought from the answer where a model writes both into one text. The thought ends at the closing tag that
 * balances the opening one, else at the last closing tag, else with the text. Undefined where no thought stands at the
 * start: tags further on are what the answer is about.
 */
export function splitThought(text: string, mode: ThinkTags): SplitText | undefined {
  if (mode === 'off') return undefined
  const opening = OPENING.exec(text)
  const name = opening?.[1] ?? (mode === 'template' ? CLOSING.exec(text)?.[1] : undefined)
  if (name === undefined) return undefined
  const from = opening?.[0].length ?? 0
  const diagnostics: Diagnostic[] = opening === null ? ['think-tags', 'think-unopened'] : ['think-tags']
  const closing = closingTag(text, from, name)
  if (closing === undefined)
    return {
      thought: text.slice(from).trimStart(),
      text: '',
      written: text,
      diagnostics: [...diagnostics, 'think-unclosed'],
    }
  const rest = text.slice(closing.end).trimStart()
  return {
    thought: text.slice(from, closing.start).trim(),
    text: rest,
    written: text.slice(0, text.length - rest.length),
    diagnostics,
  }
}

function closingTag(text: string, from: number, name: string): { start: number; end: number } | undefined {
  const tag = new RegExp(`<(/?)${name}>`, 'gi')
  tag.lastIndex = from
  let depth = 1
  let last: { start: number; end: number } | undefined
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    if (found[1] === '') depth++
    else {
      last = { start: found.index, end: found.index + found[0].length }
      if (--depth === 0) return last
    }
  }
  return last
}

/** Longest tag: `</thinking>`. */
const LONGEST = 11

/**
 * The same while the text arrives, for those who watch: says of each piece whether it looks like thought or answer.
 * The finished blocks are split from the whole text, so a guess here costs nothing.
 */
export class ThoughtDisplay {
  readonly #mode: ThinkTags
  #phase: 'undecided' | 'thought' | 'text' = 'undecided'
  #held = ''
  #depth = 1
  #fresh = true

  constructor(mode: ThinkTags) {
    this.#mode = mode
  }

  push(piece: string): readonly { readonly kind: 'text' | 'reasoning'; readonly text: string }[] {
    this.#held += piece
    if (this.#phase === 'undecided') this.#decide()
    const shown: { kind: 'text' | 'reasoning'; text: string }[] = []
    if (this.#phase === 'thought') shown.push({ kind: 'reasoning', text: this.#thought() })
    if (this.#phase === 'text') {
      shown.push({ kind: 'text', text: this.#trimmed(this.#held) })
      this.#held = ''
    }
    return shown.filter((part) => part.text !== '')
  }

  #decide(): void {
    const opening = this.#mode === 'off' ? null : OPENING.exec(this.#held)
    if (opening !== null) {
      this.#phase = 'thought'
      this.#held = this.#held.slice(opening[0].length)
    } else if (this.#mode !== 'off' && /^\s*(?:<[a-z]{0,8})?$/i.test(this.#held)) return
    else {
      this.#phase = this.#mode === 'template' ? 'thought' : 'text'
      this.#fresh = this.#mode === 'template'
    }
  }

  #thought(): string {
    const tag = /<(\/?)(?:think|thinking|thought)>/gi
    let counted = 0
    for (let found = tag.exec(this.#held); found !== null; found = tag.exec(this.#held)) {
      counted = tag.lastIndex
      this.#depth += found[1] === '' ? 1 : -1
      if (this.#depth > 0) continue
      const thought = this.#trimmed(this.#held.slice(0, found.index)).trimEnd()
      this.#held = this.#held.slice(counted)
      this.#phase = 'text'
      this.#fresh = true
      return thought
    }
    const open = this.#held.lastIndexOf('<')
    const isHead = open >= counted && this.#held.length - open < LONGEST
    const safe = isHead ? open : this.#held.length
    const out = this.#held.slice(0, safe)
    this.#held = this.#held.slice(safe)
    return this.#trimmed(out)
  }

  #trimmed(text: string): string {
    const trimmed = this.#fresh ? text.trimStart() : text
    if (trimmed !== '') this.#fresh = false
    return trimmed
  }
}

import { END_TOKENS } from '@tenon/kernel'
import type { TurnDelta, TurnWatcher } from './dialect.js'

/** Holds back what may be the end tokens of a template, and whatever blanks stand between them. */
export class TokenHold implements TurnWatcher {
  /** Whole tokens and blanks that have come so far at the end. */
  private tokens: string[] = []
  /** What may be the beginning of one more. */
  private begun = ''

  constructor(private readonly inner: TurnWatcher) {}

  get done(): boolean {
    return this.inner.done
  }

  push(chunk: string): readonly TurnDelta[] {
    const text = this.begun + chunk
    const begun = beginningOfToken(text)
    const safe = beforeTokens(text, begun)
    const released = safe === 0 ? '' : this.tokens.join('') + text.slice(0, safe)
    if (safe > 0) this.tokens = []
    if (safe < begun) this.tokens.push(text.slice(safe, begun))
    this.begun = text.slice(begun)
    return released === '' ? [] : this.inner.push(released)
  }
}

/** Where the beginning of a token stands at the end of a text; the length of the text where there is none. */
function beginningOfToken(text: string): number {
  const at = text.lastIndexOf('<')
  if (at < 0 || text.length - at > 24) return text.length
  const begun = text.slice(at)
  return END_TOKENS.some((token) => token !== begun && token.startsWith(begun)) ? at : text.length
}

/** Where the tokens and blanks begin that end at `end`; `end` itself where no token does. */
function beforeTokens(text: string, end: number): number {
  let safe = end
  for (let at = end; ; ) {
    while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--
    const token = END_TOKENS.find((word) => at >= word.length && text.startsWith(word, at - word.length))
    if (token === undefined) return at === 0 ? 0 : safe
    at -= token.length
    safe = at
  }
}

const PAIRS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”' }

/** Follows brackets, strings and comments through chunks, to tell when a value or a call form is complete. */
export class BracketTracker {
  private depth = 0
  private quote = ''
  private escaped = false
  private comment: '' | '/' | '//' | '/*' | '*' = ''

  /** True once every bracket that was opened is closed again. */
  balanced = false

  get inString(): boolean {
    return this.quote !== ''
  }

  get begun(): boolean {
    return this.depth > 0 || this.balanced
  }

  /** Returns the offset behind the bracket that completed the value, or -1. */
  push(chunk: string): number {
    for (let at = 0; at < chunk.length; at++) {
      if (this.step(chunk[at] ?? '')) return at + 1
    }
    return -1
  }

  private step(char: string): boolean {
    if (this.quote !== '') {
      if (this.escaped) this.escaped = false
      else if (char === '\\') this.escaped = true
      else if (char === this.quote) this.quote = ''
      return false
    }
    if (this.inComment(char)) return false
    if (this.depth > 0 && PAIRS[char] !== undefined) this.quote = PAIRS[char]
    else if (char === '{' || char === '[' || char === '(') this.depth++
    else if ((char === '}' || char === ']' || char === ')') && this.depth > 0 && --this.depth === 0) {
      this.balanced = true
      return true
    }
    return false
  }

  private inComment(char: string): boolean {
    if (this.comment === '//') {
      if (char === '\n') this.comment = ''
      return true
    }
    if (this.comment === '/*' || this.comment === '*') {
      this.comment = char === '*' ? '*' : this.comment === '*' && char === '/' ? '' : '/*'
      return true
    }
    if (this.comment === '/') {
      this.comment = char === '/' ? '//' : char === '*' ? '/*' : ''
      if (this.comment !== '') return true
    }
    if (char === '/' && this.depth > 0) this.comment = '/'
    return false
  }
}

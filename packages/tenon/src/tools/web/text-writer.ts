/** Collects the text of a page: white space as a browser shows it, at most one empty line in a row. */
export class TextWriter {
  readonly #parts: string[] = []
  /** Line ends that are due before the next text. */
  #breaks = 0
  #space = false
  #atStart = true
  #inCell = false

  /** Text that flows: white space is one space. */
  words(text: string): void {
    for (const [index, word] of text.split(/[\s\u00a0]+/).entries()) {
      if (index > 0) this.#space = true
      if (word !== '') this.#put(word)
    }
  }

  /** Text whose white space counts. */
  exact(text: string): void {
    if (text !== '') this.#put(text)
    this.#atStart = text.endsWith('\n')
  }

  /** Text that stands as it is and takes no space after it. */
  mark(text: string): void {
    this.#put(text)
    this.#atStart = !text.startsWith(']')
  }

  /** How many pieces were written. */
  get place(): number {
    return this.#parts.length
  }

  /** Takes back the last piece, if it is the one that was written when there were `place`. */
  takeBack(place: number): boolean {
    if (this.#parts.length !== place) return false
    this.#parts.pop()
    return true
  }

  line(): void {
    this.#breaks = Math.max(this.#breaks, 1)
    this.#space = false
    this.#inCell = false
  }

  /** @param tight within a list, where paragraphs need no empty line. */
  paragraph(tight = false): void {
    this.line()
    if (!tight) this.#breaks = 2
  }

  cell(): void {
    if (this.#inCell) this.#put(' |')
    this.#inCell = true
    this.#space = true
  }

  finish(): string {
    return this.#parts.join('').trim()
  }

  /** Line ends that are there already: exact text brings its own. */
  #endings(): number {
    const last = this.#parts.at(-1) ?? ''
    const own = last.endsWith('\n\n') ? 2 : last.endsWith('\n') ? 1 : 0
    return Math.min(own, this.#breaks)
  }

  #put(text: string): void {
    if (this.#breaks > 0) {
      if (this.#parts.length > 0) this.#parts.push('\n'.repeat(this.#breaks - this.#endings()))
      this.#breaks = 0
      this.#atStart = true
    }
    if (this.#space && !this.#atStart) this.#parts.push(' ')
    this.#parts.push(text)
    this.#space = false
    this.#atStart = false
  }
}

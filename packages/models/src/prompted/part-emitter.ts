import type { TurnDelta } from './dialect.js'

/** Collects deltas of trimmed parts: blanks go out only before more text, parts are joined by a line feed. */
export class PartEmitter {
  private out: TurnDelta[] = []
  private blanks = ''
  private begun = false
  private block: TurnDelta['block'] | null = null
  private written = false

  /** Begins a part of a block. */
  begin(block: TurnDelta['block']): void {
    if (block !== this.block) this.written = false
    this.block = block
    this.blanks = ''
    this.begun = false
  }

  add(text: string): void {
    if (this.block === null || text === '') return
    let content = this.begun ? text : text.trimStart()
    if (content === '') return
    const trailing = content.length - content.trimEnd().length
    if (trailing === content.length) {
      this.blanks += content
      return
    }
    const blanks = this.begun ? this.blanks : this.written ? '\n' : ''
    this.blanks = trailing > 0 ? content.slice(-trailing) : ''
    content = blanks + (trailing > 0 ? content.slice(0, -trailing) : content)
    this.begun = true
    this.written = true
    this.out.push({ block: this.block, text: content })
  }

  take(): readonly TurnDelta[] {
    const out = this.out
    this.out = []
    return out
  }
}

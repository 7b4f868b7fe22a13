import type { TurnDelta, TurnWatcher } from '../dialect.js'
import { PartEmitter } from '../part-emitter.js'

const MARKERS = [
  '<tool_call>',
  '<function=',
  '<|python_tag|>',
  '[TOOL_CALLS]',
  '<｜',
  '</think>',
  '</tool_call>',
] as const
const CALL_FENCE = /^[ \t]*`{3,}[ \t]*(?:json|json5|jsonc|tool_call|tool)?[ \t]*\n$/i

/**
 * Text goes out until something comes that may be a call: JSON at the start of a line, a fence that may hold some, a
 * marker. From there on the end decides. Several calls may stand in one turn, so the turn is never done before its end.
 */
export class JsonWatcher implements TurnWatcher {
  readonly done = false
  private held = ''
  private lineStart = true
  private fenced = false
  private silent = false
  private readonly emitter = new PartEmitter()

  constructor() {
    this.emitter.begin('text')
  }

  push(chunk: string): readonly TurnDelta[] {
    let text = this.held + chunk
    this.held = ''
    while (text !== '' && !this.silent) {
      const used = this.lineStart ? this.beginLine(text) : this.passLine(text)
      if (used === 0) {
        this.held = text
        break
      }
      text = text.slice(used)
    }
    return this.emitter.take()
  }

  /** Decides what a line begins with; 0 while that is open. */
  private beginLine(text: string): number {
    const first = text.trimStart()
    const blanks = text.length - first.length
    if (first === '') {
      this.emitter.add(text)
      return text.length
    }
    const feed = first.indexOf('\n')
    if ('```'.startsWith(first) || (first.startsWith('```') && feed < 0)) return 0
    if (first.startsWith('```')) {
      const line = first.slice(0, feed + 1)
      if (!this.fenced && CALL_FENCE.test(line)) this.silent = true
      else this.fenced = this.fenced ? !/^`{3,}[ \t\r]*\n$/.test(line) : true
      if (this.silent) return 0
      this.emitter.add(text.slice(0, blanks + line.length))
      return blanks + line.length
    }
    if (!this.fenced && (first[0] === '{' || first[0] === '[')) {
      this.silent = true
      return 0
    }
    this.lineStart = false
    this.emitter.add(text.slice(0, blanks))
    return blanks === 0 ? this.passLine(text) : blanks
  }

  private passLine(text: string): number {
    const feed = text.indexOf('\n')
    const line = feed < 0 ? text : text.slice(0, feed + 1)
    const safe = this.fenced ? line.length : this.safeLength(line)
    this.emitter.add(line.slice(0, safe))
    if (safe === line.length && feed >= 0) this.lineStart = true
    return safe
  }

  /** How much of a line holds no marker, nor the beginning of one at its end. */
  private safeLength(line: string): number {
    for (let at = 0; at < line.length; at++) {
      if (line[at] !== '<' && line[at] !== '[') continue
      const rest = line.slice(at, at + 16)
      if (MARKERS.some((marker) => rest.startsWith(marker))) {
        this.silent = at === 0
        return at
      }
      if (at + rest.length >= line.length && MARKERS.some((marker) => marker.startsWith(rest))) return at
    }
    return line.length
  }
}

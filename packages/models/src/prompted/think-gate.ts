import type { TurnDelta, TurnWatcher } from './dialect.js'
import { PartEmitter } from './part-emitter.js'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Lets the thinking at the start of an output go out at once and hands the rest to the dialect's own watcher. */
export class ThinkGate implements TurnWatcher {
  private state: 'start' | 'thinking' | 'open' = 'start'
  private held = ''
  private readonly emitter = new PartEmitter()

  constructor(private readonly inner: TurnWatcher) {}

  get done(): boolean {
    return this.inner.done
  }

  push(chunk: string): readonly TurnDelta[] {
    if (this.state === 'open') return this.inner.push(chunk)
    this.held += chunk
    const out: TurnDelta[] = []
    for (;;) {
      if (this.state === 'start') {
        const text = this.held.replace(/^[\ufeff\s]+/, '')
        this.held = text
        if (text.length < OPEN.length && OPEN.startsWith(text)) return out
        if (!text.startsWith(OPEN)) break
        this.state = 'thinking'
        this.held = text.slice(OPEN.length)
        this.emitter.begin('reasoning')
      }
      const close = this.held.indexOf(CLOSE)
      if (close < 0) {
        const safe = safeLength(this.held)
        this.emitter.add(this.held.slice(0, safe))
        this.held = this.held.slice(safe)
        out.push(...this.emitter.take())
        return out
      }
      this.emitter.add(this.held.slice(0, close))
      out.push(...this.emitter.take())
      this.held = this.held.slice(close + CLOSE.length)
      this.state = 'start'
    }
    this.state = 'open'
    out.push(...this.inner.push(this.held))
    this.held = ''
    return out
  }
}

/** How much of a text cannot be the beginning of the closing tag. */
function safeLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return text.length - length
  }
  return text.length
}

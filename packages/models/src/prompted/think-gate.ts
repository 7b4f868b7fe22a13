import type { TurnDelta, TurnWatcher } from './dialect.js'
import { PartEmitter } from './part-emitter.js'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Lets the thinking at the start of an output go out at once and hands the rest to the dialect's own watcher. */
export class ThinkGate implements TurnWatcher {
  private state: 'start' | 'thinking' | 'open' = 'start'
  private held = ''
  /** Thinking went out, and nothing of the turn's own thought yet. */
  private apart = false
  private readonly emitter = new PartEmitter()

  constructor(private readonly inner: TurnWatcher) {}

  get done(): boolean {
    return this.inner.done
  }

  push(chunk: string): readonly TurnDelta[] {
    if (this.state === 'open') return this.joined(this.inner.push(chunk))
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
        out.push(...this.thinking())
        return out
      }
      this.emitter.add(this.held.slice(0, close))
      out.push(...this.thinking())
      this.held = this.held.slice(close + CLOSE.length)
      this.state = 'start'
    }
    this.state = 'open'
    out.push(...this.joined(this.inner.push(this.held)))
    this.held = ''
    return out
  }

  private thinking(): readonly TurnDelta[] {
    const deltas = this.emitter.take()
    this.apart ||= deltas.length > 0
    return deltas
  }

  /** A line feed stands between the thinking and the thought of the turn. */
  private joined(deltas: readonly TurnDelta[]): readonly TurnDelta[] {
    if (!this.apart) return deltas
    return deltas.map((delta) => {
      if (!this.apart || delta.block !== 'reasoning') return delta
      this.apart = false
      return { ...delta, text: `\n${delta.text}` }
    })
  }
}

/** How much of a text cannot be the beginning of the closing tag. */
function safeLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return text.length - length
  }
  return text.length
}

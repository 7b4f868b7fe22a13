import { styleText } from 'node:util'
import { columns, fit } from './columns.js'
import type { Piece, Tone } from './piece.js'
import type { PrintStyle } from './print-style.js'
import { safeStream, safeText } from './safe-text.js'
import { spokenTime } from './words.js'

export type PrinterOptions = {
  readonly style: PrintStyle
  readonly write: (text: string) => void
  /** What stands at the end of the status line: model, context, cost. */
  readonly facts?: () => string
}

const COLORS: Readonly<Record<Tone, Parameters<typeof styleText>[0] | undefined>> = {
  plain: undefined,
  muted: 'dim',
  call: 'cyan',
  good: 'green',
  bad: 'red',
  ask: 'yellow',
}

// Whether to colour is settled before; newer Nodes would ask standard output instead.
const FORCED = { validateStream: false }

/** What lasts less is not worth a word. */
const PATIENCE_MS = 2000

/**
 * Writes pieces to one stream and never takes anything back, but for a single status line on a terminal.
 * Lives as long as its run is shown; `close` ends the status line.
 */
export class Printer {
  readonly #style: PrintStyle
  readonly #out: (text: string) => void
  readonly #facts: () => string
  readonly #stream = safeStream()
  /** Blocks whose deltas were shown. */
  readonly #shown = new Set<string>()
  #open: string | undefined
  /** Texts of the turn that was shown last. */
  #texts: string[] = []
  #turn = ''
  #atLineStart = true
  /** Text in plain style waits: it is the result if nothing follows. */
  #held: string[] = []
  #busy: { text: string; since: number } | undefined
  #status = false
  #timer: NodeJS.Timeout | undefined
  #nextWord = PATIENCE_MS
  #quiet = false

  constructor(options: PrinterOptions) {
    this.#style = options.style
    this.#out = options.write
    this.#facts = options.facts ?? (() => '')
    this.#timer = setInterval(() => this.#tick(), options.style.flow ? 200 : 500)
    this.#timer.unref()
  }

  /** True when the reader has already seen this text, written as it came. */
  sawText(text: string): boolean {
    return this.#style.flow && this.#texts.join('\n').trim() === text.trim()
  }

  print(pieces: readonly Piece[]): void {
    for (const piece of pieces) this.#print(piece)
  }

  /** A line of the command itself. */
  say(text: string, tone: Tone = 'plain'): void {
    this.#closeBlock()
    this.#flush()
    this.#write(`${this.#paint(text, tone)}\n`)
  }

  /** While a person is asked, nothing is redrawn under their hands. */
  quiet(on: boolean): void {
    this.#closeBlock()
    this.#flush()
    this.#eraseStatus()
    this.#quiet = on
  }

  close(): void {
    clearInterval(this.#timer)
    this.#closeBlock()
    this.#flush()
    this.#eraseStatus()
    this.#busy = undefined
  }

  #print(piece: Piece): void {
    switch (piece.kind) {
      case 'busy':
        if (this.#busy?.text !== piece.text) this.#busy = { text: piece.text, since: Date.now() }
        this.#nextWord = PATIENCE_MS
        return
      case 'delta':
        if (this.#style.flow) this.#delta(piece)
        return
      case 'block':
        this.#block(piece)
        return
      case 'line':
        this.#closeBlock()
        this.#flush()
        this.#write(this.#line(piece))
        return
      case 'end':
        this.#closeBlock()
        // The last text is the result, and that is printed where results go.
        this.#dropHeld(piece.result.trim())
        this.#flush()
        this.#busy = undefined
        this.#eraseStatus()
    }
  }

  #delta(piece: Extract<Piece, { kind: 'delta' }>): void {
    if (this.#open !== piece.key) {
      this.#closeBlock()
      this.#open = piece.key
      if (piece.block === 'text') this.#remember(piece.key, '')
    }
    this.#shown.add(piece.key)
    if (piece.block === 'text') this.#texts.push(`${this.#texts.pop() ?? ''}${piece.text}`)
    this.#write(this.#paint(this.#stream.push(piece.text), piece.block === 'reasoning' ? 'muted' : 'plain'))
  }

  #block(piece: Extract<Piece, { kind: 'block' }>): void {
    if (this.#shown.has(piece.key)) {
      if (this.#open === piece.key) this.#closeBlock()
      return
    }
    this.#closeBlock()
    const text = safeText(piece.text).trimEnd()
    if (this.#style.flow) {
      if (piece.block === 'text') this.#remember(piece.key, piece.text)
      this.#write(`${this.#paint(text, piece.block === 'reasoning' ? 'muted' : 'plain')}\n`)
    } else if (piece.block === 'reasoning') this.#write(`thought: ${indented(text)}\n`)
    else this.#held.push(text)
  }

  #remember(key: string, text: string): void {
    const turn = key.slice(0, key.lastIndexOf('.'))
    if (turn !== this.#turn) this.#texts = []
    this.#turn = turn
    this.#texts.push(text)
  }

  #dropHeld(result: string): void {
    for (let from = this.#held.length - 1; from >= 0; from--)
      if (this.#held.slice(from).join('\n').trim() === result) this.#held.length = from
  }

  #closeBlock(): void {
    if (this.#open === undefined) return
    this.#open = undefined
    const rest = this.#stream.end()
    if (rest !== '') this.#write(rest)
    if (!this.#atLineStart) this.#write('\n')
  }

  #flush(): void {
    const held = this.#held
    this.#held = []
    for (const text of held) this.#write(`assistant: ${indented(text)}\n`)
  }

  #line(piece: Extract<Piece, { kind: 'line' }>): string {
    const { label, mark, tone, text, note } = piece
    if (!this.#style.flow) return `${label}: ${text}${note === undefined ? '' : ` (${note})`}\n`
    return `${this.#paint(mark, tone)} ${this.#paint(text, tone === 'call' || tone === 'good' ? 'plain' : tone)}${
      note === undefined ? '' : ` ${this.#paint(note, 'muted')}`
    }\n`
  }

  #tick(): void {
    const busy = this.#busy
    if (busy === undefined || this.#quiet || this.#open !== undefined) return
    const waited = Date.now() - busy.since
    if (waited < this.#nextWord) return
    if (!this.#style.flow) {
      // Each word comes twice as late as the one before, so that a log stays short.
      this.#nextWord = Math.max(this.#nextWord, waited) * 2
      this.#flush()
      this.#write(`working: ${busy.text} (${spokenTime(waited)})\n`)
      return
    }
    const facts = this.#facts()
    const text = `${busy.text}, ${spokenTime(waited)}${facts === '' ? '' : `  ${facts}`}  Ctrl-C cancels`
    this.#out(`\r${this.#paint(fit(text, this.#style.width - 1), 'muted')}\u001b[K`)
    this.#status = true
  }

  #eraseStatus(): void {
    if (!this.#status) return
    this.#status = false
    this.#out('\r\u001b[K')
  }

  #write(text: string): void {
    if (text === '') return
    this.#eraseStatus()
    this.#atLineStart = text.endsWith('\n')
    this.#out(text)
  }

  #paint(text: string, tone: Tone): string {
    const color = COLORS[tone]
    if (!this.#style.color || color === undefined || columns(text) === 0) return text
    return text.endsWith('\n') ? `${styleText(color, text.slice(0, -1), FORCED)}\n` : styleText(color, text, FORCED)
  }
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

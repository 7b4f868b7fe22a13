import type { JsonMember, JsonNode, JsonObjectNode } from './json-node.js'
import type { Repair } from './repair.js'

/** Why reading stopped. `field` is the member it stopped in, `open` the brackets that were open there. */
export type JsonFault = {
  readonly code: 'invalid-json' | 'truncated-output'
  readonly position: number
  readonly reason: 'token' | 'escape' | 'control' | 'depth' | 'end'
  readonly field: string | null
  readonly open: string
}

const MAX_DEPTH = 512

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”' }
const LITERALS: ReadonlyMap<string, true | false | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])
const IDENTIFIER = /[\p{ID_Start}_$][\p{ID_Continue}$]*/uy
const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Leaves the reader from any depth. No Error: a stack trace costs more than reading most arguments. */
class Stop {
  constructor(readonly fault: JsonFault) {}
}

/**
 * Reads JSON values from a text, in one pass and in linear time, with every repair that has one reading only. What has
 * none stops it with the place. `repairs`, `unclosed` and `at` tell how far it came and what it did on the way.
 */
export class JsonReader {
  readonly repairs = new Set<Repair>()
  /** Objects whose brace is missing at the end, inner ones first. Whether that may be overlooked is for the caller. */
  readonly unclosed: JsonObjectNode[] = []
  private open = ''
  private field: string | null = null

  /**
   * @param at where to begin; afterwards the offset behind what was read
   * @param to where the text counts as ended
   * @param ends further ends, asked at offsets between tokens: a label, a tag, a fence
   */
  constructor(
    readonly text: string,
    public at = 0,
    readonly to = text.length,
    private readonly ends?: (at: number) => boolean,
  ) {}

  /** One value. Never throws: a fault is returned. */
  value(): JsonNode | JsonFault {
    try {
      return this.readValue()
    } catch (stop) {
      if (stop instanceof Stop) return stop.fault
      throw stop
    }
  }

  /** Passes blanks and comments. True when the end is reached. */
  skip(): boolean {
    for (;;) {
      if (this.at >= this.to || this.ends?.(this.at)) return true
      const code = this.text.charCodeAt(this.at)
      if (code === 32 || code === 10 || code === 13 || code === 9) this.at++
      else if (code === 47 && this.comment()) this.repairs.add('comments')
      else return false
    }
  }

  /** A comma between values; false where there is none. */
  comma(): boolean {
    return this.punctuation(',', '，')
  }

  private comment(): boolean {
    const next = this.text[this.at + 1]
    if (next !== '/' && next !== '*') return false
    const end = next === '/' ? this.text.indexOf('\n', this.at) : this.text.indexOf('*/', this.at + 2)
    if (end < 0 || end >= this.to) this.at = this.to
    else this.at = next === '/' ? end : end + 2
    return true
  }

  private punctuation(plain: string, wide: string): boolean {
    const char = this.text[this.at]
    if (char !== plain && char !== wide) return false
    if (char === wide) this.repairs.add('cjk-punctuation')
    this.at++
    return true
  }

  private readValue(): JsonNode {
    if (this.skip()) this.cut()
    const char = this.text[this.at] ?? ''
    if (char === '{') return this.readObject()
    if (char === '[') return this.readList()
    if (CLOSING[char] !== undefined) {
      const start = this.at
      const value = this.readString(char)
      return { kind: 'string', start, end: this.at, value }
    }
    if (char === '-' || isDigit(char.charCodeAt(0))) return this.readNumber()
    return this.readLiteral()
  }

  private enter(bracket: string): void {
    if (this.open.length >= MAX_DEPTH) this.fault('depth', this.at)
    this.open += bracket
    this.at++
  }

  private leave(): void {
    this.open = this.open.slice(0, -1)
    this.at++
  }

  private readObject(): JsonObjectNode {
    const start = this.at
    const members: JsonMember[] = []
    const outer = this.field
    this.enter('{')
    for (let comma = false; ; comma = true) {
      if (this.skip()) this.cut()
      if (this.text[this.at] === '}') {
        if (comma) this.repairs.add('trailing-comma')
        break
      }
      const keyStart = this.at
      const key = this.readKey()
      this.field = key
      if (this.skip()) this.cut()
      if (!this.punctuation(':', '：')) this.fault('token', this.at)
      const value = this.readValue()
      members.push({ key, keyStart, value })
      this.field = key
      if (this.skip()) {
        if (value.kind === 'number' || this.open.includes('[')) this.cut()
        this.open = this.open.slice(0, -1)
        this.field = outer
        const node: JsonObjectNode = { kind: 'object', start, end: this.readSoFar(), members, closed: false }
        this.unclosed.push(node)
        return node
      }
      if (this.text[this.at] === '}') break
      if (!this.comma()) this.fault('token', this.at)
    }
    this.leave()
    this.field = outer
    return { kind: 'object', start, end: this.at, members, closed: true }
  }

  private readKey(): string {
    const char = this.text[this.at] ?? ''
    if (CLOSING[char] !== undefined) return this.readString(char)
    IDENTIFIER.lastIndex = this.at
    const word = IDENTIFIER.exec(this.text)?.[0]
    if (word === undefined) return this.fault('token', this.at)
    this.at += word.length
    this.repairs.add('unquoted-keys')
    return word
  }

  private readList(): JsonNode {
    const start = this.at
    const items: JsonNode[] = []
    this.enter('[')
    for (let comma = false; ; comma = true) {
      if (this.skip()) this.cut()
      if (this.text[this.at] === ']') {
        if (comma) this.repairs.add('trailing-comma')
        break
      }
      items.push(this.readValue())
      if (this.skip()) this.cut()
      if (this.text[this.at] === ']') break
      if (!this.comma()) this.fault('token', this.at)
    }
    this.leave()
    return { kind: 'list', start, end: this.at, items }
  }

  private readString(opening: string): string {
    const closing = CLOSING[opening] ?? opening
    if (opening === "'") this.repairs.add('single-quotes')
    if (opening === '“') this.repairs.add('smart-quotes')
    let value = ''
    let from = ++this.at
    for (; this.at < this.to; this.at++) {
      const char = this.text[this.at] ?? ''
      if (char === closing) {
        value += this.text.slice(from, this.at)
        this.at++
        return value
      }
      if (char === '\\') {
        value += this.text.slice(from, this.at) + this.readEscape(closing)
        from = this.at + 1
      } else if (char < ' ') {
        if (char !== '\n' && char !== '\r' && char !== '\t') this.fault('control', this.at)
        this.repairs.add('control-characters')
      } else if (closing === '”' && (char === '“' || char === '"')) this.fault('token', this.at)
    }
    return this.cut()
  }

  /** Leaves `at` on the last character of the escape. */
  private readEscape(closing: string): string {
    const backslash = this.at
    if (++this.at >= this.to) this.cut()
    const char = this.text[this.at] ?? ''
    if (char === 'u') {
      const digits = this.text.slice(this.at + 1, Math.min(this.at + 5, this.to))
      if (!/^[0-9a-f]*$/i.test(digits)) this.fault('escape', backslash)
      if (digits.length < 4) this.cut()
      this.at += 4
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    if (char === "'" && closing === "'") return char
    return ESCAPES[char] ?? this.fault('escape', backslash)
  }

  private readNumber(): JsonNode {
    const start = this.at
    if (this.text[this.at] === '-') this.at++
    if (this.text[this.at] === '0') this.at++
    else this.digits()
    if (this.text[this.at] === '.') {
      this.at++
      this.digits()
    }
    if (this.text[this.at] === 'e' || this.text[this.at] === 'E') {
      this.at++
      if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at++
      this.digits()
    }
    return { kind: 'number', start, end: this.at, digits: this.text.slice(start, this.at) }
  }

  private digits(): void {
    const start = this.at
    while (this.at < this.to && isDigit(this.text.charCodeAt(this.at))) this.at++
    if (this.at > start) return
    if (this.at >= this.to) this.cut()
    this.fault('token', this.at)
  }

  private readLiteral(): JsonNode {
    const start = this.at
    IDENTIFIER.lastIndex = start
    const word = IDENTIFIER.exec(this.text)?.[0] ?? ''
    const value = LITERALS.get(word)
    if (value === undefined || start + word.length > this.to) {
      const atEnd = word !== '' && start + word.length >= this.to
      if (atEnd && [...LITERALS.keys()].some((literal) => literal.startsWith(word))) this.cut()
      return this.fault('token', start)
    }
    if (word[0] !== word[0]?.toLowerCase()) this.repairs.add('python-literals')
    this.at += word.length
    return { kind: 'literal', start, end: this.at, value }
  }

  private fault(reason: JsonFault['reason'], position: number): never {
    throw new Stop({ code: 'invalid-json', position, reason, field: this.field, open: this.open })
  }

  /** The text ended too early: the place is its end, without blanks. */
  private cut(): never {
    const position = this.readSoFar()
    throw new Stop({ code: 'truncated-output', position, reason: 'end', field: this.field, open: this.open })
  }

  /** The end of what was read, without blanks. */
  private readSoFar(): number {
    let position = Math.min(this.at, this.to)
    while (position > 0 && /\s/.test(this.text[position - 1] ?? '')) position--
    return position
  }
}

export const isFault = (read: JsonNode | JsonFault): read is JsonFault => 'code' in read

import type { ArgumentProblem, Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import type { Diagnostic } from './diagnostic.js'
import { jsonExtent } from './json-extent.js'

/** The arguments of a call as they arrive: pieces of text, or a value where a text belongs. */
export class ArgumentText {
  #text = ''
  #value: Json | undefined
  /** The dialect sends an object, not a text: then an object is nothing odd. */
  readonly #objectExpected: boolean

  constructor(objectExpected = false) {
    this.#objectExpected = objectExpected
  }

  get text(): string {
    return this.#text
  }

  get arrived(): boolean {
    return this.#text !== '' || isJsonObject(this.#value)
  }

  /** Adds a piece. A whole object that begins with all that came before is the same arguments once more. */
  add(piece: Json | undefined, report: (diagnostic: Diagnostic) => void): void {
    if (piece === undefined) return
    if (typeof piece !== 'string') {
      if (piece !== null || this.#value === undefined) this.#value = piece
      return
    }
    const again = this.#text !== '' && piece[0] === '{' && piece.startsWith(this.#text) && isJsonObject(parsed(piece))
    if (again) report('args-repeated')
    this.#text = again ? piece : this.#text + piece
  }

  /** A value that stood in the place of the arguments before any piece came; pieces of text go before it. */
  begin(value: Json | undefined): void {
    this.#value = value
  }

  /** Puts another text in the place of all that came. */
  replace(text: string): void {
    this.#text = text
  }

  /**
   * What the arguments are. `argsText` is there where the text is an object's and can go back as it was written; with
   * `problem` there are no arguments to be had. `cutShort`: the turn ended before its time and this call was the last.
   */
  read(cutShort: boolean, report: (diagnostic: Diagnostic) => void): ReadArguments {
    if (this.#text.trim() === '') {
      const value = typeof this.#value === 'string' && this.#value.trim() === '' ? undefined : this.#value
      if (value === undefined || value === null) {
        report(value === null ? 'args-null' : 'args-empty')
        return { args: {} }
      }
      if (isJsonObject(value)) {
        if (!this.#objectExpected) report('args-object')
        return { args: value }
      }
      return this.#readText(JSON.stringify(value), cutShort, report)
    }
    return this.#readText(this.#text, cutShort, report)
  }

  #readText(text: string, cutShort: boolean, report: (diagnostic: Diagnostic) => void): ReadArguments {
    const value = parsed(text)
    if (isJsonObject(value)) return { args: value, argsText: text }
    if (value === null) {
      report('args-null')
      return { args: {} }
    }
    const inner = typeof value === 'string' ? parsed(value) : undefined
    if (isJsonObject(inner)) {
      report('args-double-encoded')
      return { args: inner }
    }
    report(cutShort ? 'args-truncated' : 'args-malformed')
    return { args: {}, argsText: text, problem: problemOf(text, value !== undefined, cutShort) }
  }

  /** The text stops inside a JSON value. */
  get isOpen(): boolean {
    const text = this.#text
    return text.trim() !== '' && parsed(text) === undefined && jsonExtent(text).kind === 'open'
  }

  /** Nothing about them depends on how the turn ends. */
  get isSettled(): boolean {
    const text = this.#text.trim() === '' ? '' : this.#text
    const value = text === '' ? (this.#value ?? null) : parsed(text)
    if (value === null || isJsonObject(value)) return true
    return typeof value === 'string' && isJsonObject(parsed(value))
  }
}

export type ReadArguments = {
  readonly args: JsonObject
  readonly argsText?: string
  readonly problem?: ArgumentProblem
}

function problemOf(text: string, isJson: boolean, cutShort: boolean): ArgumentProblem {
  if (isJson) return { code: 'args-malformed', message: 'The arguments are no JSON object.', position: 0 }
  const extent = jsonExtent(text)
  if (cutShort)
    return {
      code: 'args-truncated',
      message: `The answer ended inside the arguments, after ${text.length} characters: the call did not arrive whole.`,
      position: text.length,
    }
  const message =
    extent.kind === 'whole'
      ? `After the first JSON value, at character ${extent.end}, more text follows. One call takes one object.`
      : extent.kind === 'open'
        ? `The arguments end inside a JSON value, at character ${extent.end}.`
        : `The arguments are no JSON: character ${extent.end} does not belong there.`
  return { code: 'args-malformed', message, position: extent.end }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

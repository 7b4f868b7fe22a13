import type { Json, JsonObject, ModelBlock, ReasoningBlock } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { ArgumentText } from '../wire/argument-text.js'
import type { Diagnostic } from '../wire/diagnostic.js'
import type { BlockSlot } from '../wire/ordered-blocks.js'

/** A content part of a message item while it arrives. */
export type PartDraft = {
  type: string
  text: string
  readonly annotations: Json[]
  final: JsonObject | undefined
  slot: BlockSlot | undefined
}

/** An output item while it arrives: as it was added, as it was done, and what came between. */
export class OutputItem {
  readonly place: number
  readonly parts = new Map<number, PartDraft>()
  readonly args = new ArgumentText()
  readonly #summary = new Map<number, string>()
  readonly #thought = new Map<number, string>()
  slot: BlockSlot | undefined
  settled = false
  #added: JsonObject
  #done: JsonObject | undefined
  #sawDeltas = false
  /** It came by events of its own and not only whole. */
  readonly #streamed: boolean

  constructor(place: number, added: JsonObject, streamed: boolean) {
    this.place = place
    this.#added = added
    this.#streamed = streamed
    this.args.add(added.arguments, () => undefined)
  }

  get type(): string {
    return textOf(this.item.type)
  }

  get kind(): ModelBlock['kind'] | 'message' {
    if (this.type === 'message' || this.type === '') return 'message'
    if (this.type === 'reasoning') return 'reasoning'
    return this.type === 'function_call' ? 'tool-call' : 'opaque'
  }

  get isDone(): boolean {
    return this.#done !== undefined
  }

  /** The item as it goes back to the provider. */
  get item(): JsonObject {
    return this.#done ?? this.#added
  }

  addArguments(piece: Json | undefined, report: (diagnostic: Diagnostic) => void): void {
    if (piece === '' || piece === undefined) return
    if (!this.#sawDeltas) this.args.replace('')
    this.#sawDeltas = true
    this.args.add(piece, report)
  }

  /** The text of a `done` is the truth; a blank one says nothing. */
  finalArguments(text: Json | undefined, report: (diagnostic: Diagnostic) => void): void {
    if (typeof text !== 'string') this.args.add(text, report)
    else if (text.trim() !== '' && text !== this.args.text) {
      if (this.#streamed) report('args-final-differs')
      this.args.replace(text)
    }
  }

  addThought(kind: 'summary' | 'content', index: number, text: string, isFinal: boolean): void {
    const pieces = kind === 'summary' ? this.#summary : this.#thought
    if (!isFinal) pieces.set(index, (pieces.get(index) ?? '') + text)
    else if (text !== '') pieces.set(index, text)
  }

  part(index: number, type: string): PartDraft {
    let part = this.parts.get(index)
    if (part === undefined) {
      part = { type, text: '', annotations: [], final: undefined, slot: undefined }
      this.parts.set(index, part)
    }
    if (part.type === '') part.type = type
    return part
  }

  finish(done: JsonObject, report: (diagnostic: Diagnostic) => void): void {
    this.#done ??= done
    if (this.kind === 'tool-call') this.finalArguments(done.arguments, report)
    if (this.kind !== 'message' || !Array.isArray(done.content)) return
    for (const [index, part] of done.content.entries()) {
      if (!isJsonObject(part)) continue
      const draft = this.part(index, textOf(part.type))
      if (partText(part) !== '' || draft.text === '') draft.final = part
    }
  }

  /** The thought itself where it is shown, else its summary. */
  get thought(): string {
    return joined(this.item.content) || inOrder(this.#thought) || joined(this.item.summary) || inOrder(this.#summary)
  }

  get seal(): ReasoningBlock['seal'] {
    const sealed = this.item.encrypted_content
    return typeof sealed === 'string' && sealed !== '' ? 'encrypted' : 'none'
  }
}

/** The text of a content part, whichever field its type keeps it in. */
export function partText(part: JsonObject): string {
  return textOf(part.type === 'refusal' ? part.refusal : part.text)
}

function joined(parts: Json | undefined): string {
  if (!Array.isArray(parts)) return ''
  return parts
    .map((part: Json) => (isJsonObject(part) ? textOf(part.text) : ''))
    .filter((text) => text !== '')
    .join('\n\n')
}

function inOrder(pieces: ReadonlyMap<number, string>): string {
  return [...pieces]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('\n\n')
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

import type { JsonObject } from '@tenon/kernel'
import { itemId, messageItem, textPart } from './response-items.js'
import type { Speech } from './run-speech.js'
import { eventNumber, itemNumber, partNumber, type TextSoFar, textNumber, textSoFar } from './sequence-number.js'

/** One server-sent event of a response; `type` is its name, too. */
export type Frame = JsonObject & { readonly type: string; readonly sequence_number: number }

/** Slots that the frames of one text take of those of its event. */
const TEXT_SLOTS = 6
/** Where the frames begin that say how a response ends. */
const END_SLOT = 2 * TEXT_SLOTS

/** The message that is being said. */
type OpenItem = { item: boolean; part: boolean; passed: number; readonly isCut: boolean }

/**
 * What a run says as the frames of a response. Made again from the beginning with the number of the last frame that a
 * client has, it gives what follows that one, wherever the first stream was cut.
 */
export class ResponseFrames {
  #index = 0
  #open: OpenItem | undefined
  #slots = { seq: -1, next: 0 }
  /** The text in which the client was cut off, until it is met again. */
  #cut: TextSoFar | undefined

  constructor(
    readonly responseId: string,
    readonly startingAfter: number | undefined,
  ) {
    const cut = startingAfter === undefined ? undefined : textSoFar(startingAfter)
    this.#cut = cut?.item === true ? cut : undefined
  }

  /** The first two frames. */
  begin(after: number, response: JsonObject): readonly Frame[] {
    return this.#wanted([
      this.#frame(eventNumber(after, 0), 'response.created', { response }),
      this.#frame(eventNumber(after, 1), 'response.in_progress', { response }),
    ])
  }

  /** A text that breaks off and begins anew stays the same item: its last frames say what it is in the end. */
  text(said: Exclude<Speech, { kind: 'asked' | 'ended' }>): readonly Frame[] {
    if (said.kind === 'text-dropped') return this.#drop(said.seq)
    const open = this.#openItem(said.seq, said.live)
    if (said.kind === 'text-began')
      return said.live ? this.#wanted(this.#announce(open, itemNumber(said.seq), partNumber(said.seq))) : []
    if (said.kind === 'text') return said.live ? this.#piece(open, said.seq, said.text) : []
    return this.#wanted(this.#close(open, said.seq, said.whole))
  }

  /** Whole items, and then how the response ended. `items` stand behind the messages that were said. */
  end(seq: number, questions: readonly string[], items: readonly JsonObject[], response: JsonObject): readonly Frame[] {
    const frames: Frame[] = []
    this.#slots = { seq, next: Math.max(END_SLOT, this.#slots.seq === seq ? this.#slots.next : 0) }
    for (const text of questions) frames.push(...this.#close(this.#openItem(seq, false), seq, text))
    let slot = this.#slots.next
    for (const item of items) {
      const at = { output_index: this.#index++, item }
      frames.push(this.#frame(eventNumber(seq, slot++), 'response.output_item.added', at))
      frames.push(this.#frame(eventNumber(seq, slot++), 'response.output_item.done', at))
    }
    frames.push(
      this.#frame(eventNumber(seq, slot), ENDINGS[String(response.status)] ?? 'response.failed', { response }),
    )
    return this.#wanted(frames)
  }

  #openItem(seq: number, live: boolean): OpenItem {
    if (this.#open !== undefined) return this.#open
    const cut = this.#cut
    if (cut !== undefined && (live ? seq >= cut.seq : seq > cut.seq)) {
      this.#cut = undefined
      this.#open = { item: true, part: cut.part, passed: cut.characters, isCut: cut.characters > 0 }
    } else this.#open = { item: false, part: false, passed: 0, isCut: false }
    return this.#open
  }

  #drop(seq: number): readonly Frame[] {
    if (this.#open !== undefined) this.#open = { ...this.#open, passed: 0, isCut: false }
    else if (this.#cut !== undefined && seq > this.#cut.seq) this.#cut = { ...this.#cut, characters: 0 }
    return []
  }

  #announce(open: OpenItem, item: number, part: number): Frame[] {
    const id = this.#itemId
    const frames: Frame[] = []
    if (!open.item) {
      const added = { output_index: this.#index, item: messageItem(id, '', 'in_progress') }
      frames.push(this.#frame(item, 'response.output_item.added', added))
    }
    if (!open.part) {
      const place = { item_id: id, output_index: this.#index, content_index: 0 }
      frames.push(this.#frame(part, 'response.content_part.added', { ...place, part: textPart('') }))
    }
    open.item = true
    open.part = true
    return frames
  }

  #piece(open: OpenItem, seq: number, text: string): readonly Frame[] {
    const number = textNumber(seq, open.passed + text.length)
    // A client that came back in the middle has a part of this already, and how much of it shows the whole only.
    if (open.isCut || number === undefined) return []
    open.passed += text.length
    return this.#wanted([this.#delta(number, text)])
  }

  #close(open: OpenItem, seq: number, whole: string): readonly Frame[] {
    if (this.#slots.seq !== seq) this.#slots = { seq, next: 0 }
    const slot = this.#slots.next
    this.#slots.next += TEXT_SLOTS
    const number = (place: number): number => eventNumber(seq, slot + place)
    const frames = this.#announce(open, number(0), number(1))
    const rest = whole.slice(open.passed)
    if (rest !== '') frames.push(this.#delta(number(2), rest))
    const place = { item_id: this.#itemId, output_index: this.#index, content_index: 0 }
    frames.push(this.#frame(number(3), 'response.output_text.done', { ...place, text: whole, logprobs: [] }))
    frames.push(this.#frame(number(4), 'response.content_part.done', { ...place, part: textPart(whole) }))
    const item = messageItem(this.#itemId, whole, 'completed')
    frames.push(this.#frame(number(5), 'response.output_item.done', { output_index: this.#index, item }))
    this.#open = undefined
    if (this.#cut !== undefined && seq > this.#cut.seq) this.#cut = undefined
    this.#index++
    return frames
  }

  #delta(number: number, delta: string): Frame {
    const place = { item_id: this.#itemId, output_index: this.#index, content_index: 0 }
    return this.#frame(number, 'response.output_text.delta', { ...place, delta, logprobs: [] })
  }

  get #itemId(): string {
    return itemId(this.responseId, this.#index)
  }

  #frame(number: number, type: string, more: JsonObject): Frame {
    return { type, sequence_number: number, ...more }
  }

  #wanted(frames: readonly Frame[]): readonly Frame[] {
    const { startingAfter } = this
    return startingAfter === undefined ? frames : frames.filter((frame) => frame.sequence_number > startingAfter)
  }
}

const ENDINGS: Readonly<Record<string, string>> = {
  completed: 'response.completed',
  cancelled: 'response.incomplete',
  failed: 'response.failed',
}

import type { ModelBlock, ModelEvent } from '@tenon/kernel'

/** A block while it arrives. */
export type BlockSlot = {
  readonly kind: ModelBlock['kind']
  readonly name: string | undefined
  index: number | undefined
  held: string
  visible: boolean
  /** Undefined while it is open; null once it turned out to be nothing. */
  ended: ModelBlock | null | undefined
}

type Item = {
  readonly slots: { readonly place: number; readonly slot: BlockSlot }[]
  cursor: number
  /** The place that may come next: one further on waits for those before it. */
  next: number
  closed: boolean
}

/**
 * Gives out the events of blocks in the order of their places, whatever order they arrive in, with indexes that count
 * without gaps. A place is a pair: an item, counted from 0, and a part of it. What stands behind a block that is still
 * open is held back; what turns out to be empty leaves no trace.
 */
export class OrderedBlocks {
  readonly #out: ModelEvent[]
  readonly #items = new Map<number, Item>()
  #nextItem = 0
  #nextIndex = 0
  #isOver = false

  constructor(out: ModelEvent[]) {
    this.#out = out
  }

  open(itemPlace: number, place: number, kind: ModelBlock['kind'], name?: string): BlockSlot {
    const item = this.#item(itemPlace)
    const slot: BlockSlot = { kind, name, index: undefined, held: '', visible: false, ended: undefined }
    slot.visible = kind !== 'text' && kind !== 'reasoning'
    let at = item.slots.length
    while (at > item.cursor && (item.slots[at - 1]?.place ?? -1) > place) at--
    item.slots.splice(at, 0, { place, slot })
    this.#release()
    return slot
  }

  delta(slot: BlockSlot, text: string): void {
    if (text === '' || slot.ended !== undefined) return
    slot.held += text
    slot.visible = true
    this.#release()
  }

  /** The block is whole, or was nothing. */
  end(slot: BlockSlot, block: ModelBlock | null): void {
    slot.ended ??= block
    this.#release()
  }

  /** No more blocks come in this item. */
  closeItem(itemPlace: number): void {
    this.#item(itemPlace).closed = true
    this.#release()
  }

  /** No more blocks come at all. */
  closeAll(): void {
    this.#isOver = true
    this.#release()
  }

  #item(place: number): Item {
    let item = this.#items.get(place)
    if (item === undefined) {
      item = { slots: [], cursor: 0, next: 0, closed: false }
      this.#items.set(place, item)
    }
    return item
  }

  #release(): void {
    for (;;) {
      const item = this.#items.get(this.#nextItem)
      if (item === undefined) {
        const later = this.#isOver ? [...this.#items.keys()].filter((place) => place > this.#nextItem) : []
        if (later.length === 0) return
        this.#nextItem = Math.min(...later)
        continue
      }
      for (let entry = item.slots[item.cursor]; entry !== undefined; entry = item.slots[item.cursor]) {
        const { slot, place } = entry
        if (place > item.next && !item.closed && !this.#isOver) return
        if (slot.visible && slot.ended !== null) this.#show(slot)
        if (slot.ended === undefined) return
        if (slot.ended !== null) this.#finish(slot, slot.ended)
        item.cursor++
        item.next = place + 1
      }
      if (!item.closed && !this.#isOver) return
      this.#nextItem++
    }
  }

  #show(slot: BlockSlot): void {
    if (slot.index === undefined) {
      slot.index = this.#nextIndex++
      this.#out.push({
        kind: 'block-began',
        index: slot.index,
        block: slot.kind,
        ...(slot.name === undefined || slot.name === '' ? {} : { name: slot.name }),
      })
    }
    const { text, rest } = whole(slot.held, slot.ended !== undefined)
    slot.held = rest
    if (text !== '') this.#out.push({ kind: 'delta', index: slot.index, text })
  }

  #finish(slot: BlockSlot, block: ModelBlock): void {
    if (slot.index === undefined) this.#show(slot)
    this.#out.push({ kind: 'block-ended', index: slot.index ?? 0, block })
  }
}

/** Keeps the first half of a surrogate pair back until its second half is there. */
export function whole(text: string, isEnd: boolean): { readonly text: string; readonly rest: string } {
  const last = text.charCodeAt(text.length - 1)
  const split = !isEnd && last >= 0xd800 && last <= 0xdbff
  return split ? { text: text.slice(0, -1), rest: text.slice(-1) } : { text, rest: '' }
}

/** Places after one event of the journal. */
const PLACES = 1_000_000
/** Places for frames that come from the event itself; behind them are those of the text that is said meanwhile. */
const OF_EVENT = 1_000

/**
 * `sequence_number` of a stream says how far the journal was told and how far the text that no event holds yet, so that
 * a client that comes back with it gets what follows and nothing twice, from any process: the event's seq times a
 * million, plus the place after it. This one is for the `slot`-th frame that comes from an event.
 */
export const eventNumber = (seq: number, slot: number): number => seq * PLACES + Math.min(slot, OF_EVENT - 3)

/** The frame that announces a text which no event holds yet, and the one for its content. */
export const itemNumber = (seq: number): number => seq * PLACES + OF_EVENT - 2
export const partNumber = (seq: number): number => seq * PLACES + OF_EVENT - 1

/** The piece that brings such a text to `characters`; undefined for one that waits until an event holds it. */
export const textNumber = (seq: number, characters: number): number | undefined =>
  OF_EVENT + characters < PLACES ? seq * PLACES + OF_EVENT + characters : undefined

/** What a client has of the text after the event that it came to. */
export type TextSoFar = {
  readonly seq: number
  readonly item: boolean
  readonly part: boolean
  readonly characters: number
}

export function textSoFar(number: number): TextSoFar {
  const place = number % PLACES
  return {
    seq: Math.floor(number / PLACES),
    item: place >= OF_EVENT - 2,
    part: place >= OF_EVENT - 1,
    characters: Math.max(0, place - OF_EVENT),
  }
}

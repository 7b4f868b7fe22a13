export type Tone = 'plain' | 'muted' | 'call' | 'good' | 'bad' | 'ask'

/** Something to print. What it looks like is decided later: in colour and as it streams, or as plain labelled lines. */
export type Piece =
  | {
      readonly kind: 'line'
      /** For people who read labels: `call`, `result`, `asks`. */
      readonly label: string
      /** For people who read marks. */
      readonly mark: string
      readonly tone: Tone
      readonly text: string
      /** Time, cost, reason: less important than the text. */
      readonly note?: string
    }
  /** A bit of a block that is still being written. */
  | { readonly kind: 'delta'; readonly key: string; readonly block: 'text' | 'reasoning'; readonly text: string }
  /** A whole block. Where its deltas were shown there is nothing left to print. */
  | { readonly kind: 'block'; readonly key: string; readonly block: 'text' | 'reasoning'; readonly text: string }
  /** What goes on now, for a status line. */
  | { readonly kind: 'busy'; readonly text: string }
  /** Nothing goes on any more. `result` is what the run said last. */
  | { readonly kind: 'end'; readonly result: string }

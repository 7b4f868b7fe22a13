export type LoggedEvent = { readonly stream: string; readonly seq: number; readonly text: string }

/** What was sent on the streams of one session, so that a stream which comes back misses nothing. Oldest goes first. */
export class StreamLog {
  readonly #max: number
  #events: LoggedEvent[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  add(event: LoggedEvent): void {
    this.#events.push(event)
    this.#bytes += event.text.length
    while (this.#bytes > this.#max && this.#events.length > 1) this.#bytes -= this.#events.shift()?.text.length ?? 0
  }

  after(stream: string, seq: number): readonly LoggedEvent[] {
    return this.#events.filter((event) => event.stream === stream && event.seq > seq)
  }
}

export const eventId = (stream: string, seq: number): string => `${stream}.${seq}`

export function readEventId(id: string): { readonly stream: string; readonly seq: number } | undefined {
  const [, stream, seq] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(id) ?? []
  return stream === undefined ? undefined : { stream, seq: Number(seq) }
}

/** Who sent what was recorded. */
export type TapSide = 'client' | 'server'

/**
 * One line of a tap's log. `message` stands in the log exactly as it passed, key order, doubled keys and digits
 * included, with secrets masked; here it is that JSON text.
 */
export type TapEntry = {
  /** Epoch milliseconds. */
  readonly at: number
  readonly from: TapSide
  readonly kind: 'request' | 'response' | 'notification' | 'invalid' | 'text' | 'stderr' | 'http' | 'exit'
  /** Of the message; of the request, for a response. */
  readonly method?: string
  /** The tool, prompt or resource that a request is about. */
  readonly name?: string
  readonly id?: string | number | null
  /** Milliseconds between a request and its response. */
  readonly ms?: number
  readonly failed?: boolean
  /** Of the message as it passed. */
  readonly bytes?: number
  readonly message?: string
  /** What is no JSON, or the beginning of what is too large to be kept. */
  readonly text?: string
  /** Set where `text` is only the beginning: SHA-256 of the whole. */
  readonly digest?: string
  /** Which HTTP exchange this belongs to. */
  readonly exchange?: number
  readonly status?: number
  readonly code?: number | null
  readonly signal?: string
}

/** One line of JSON. The message is put in as it is, never printed anew. */
export function tapLine({ message, ...rest }: TapEntry): string {
  const head = JSON.stringify(rest)
  return message === undefined ? head : `${head.slice(0, -1)},"message":${message}}`
}

/** A JSON value together with its place in the text: UTF-16 offsets, `end` is the one behind the last character. */
export type JsonNode = JsonObjectNode | JsonListNode | JsonStringNode | JsonNumberNode | JsonLiteralNode

export type JsonMember = {
  readonly key: string
  /** Offset of the key, or of its value where there is no written key. */
  readonly keyStart: number
  readonly value: JsonNode
}

export type JsonObjectNode = {
  readonly kind: 'object'
  readonly start: number
  readonly end: number
  readonly members: readonly JsonMember[]
  /** False where the text ended before the brace. */
  readonly closed: boolean
}

export type JsonListNode = {
  readonly kind: 'list'
  readonly start: number
  readonly end: number
  readonly items: readonly JsonNode[]
}

export type JsonStringNode = {
  readonly kind: 'string'
  readonly start: number
  readonly end: number
  readonly value: string
}

type JsonNumberNode = {
  readonly kind: 'number'
  readonly start: number
  readonly end: number
  /** As written: a double may not hold it. */
  readonly digits: string
}

type JsonLiteralNode = {
  readonly kind: 'literal'
  readonly start: number
  readonly end: number
  readonly value: true | false | null
}

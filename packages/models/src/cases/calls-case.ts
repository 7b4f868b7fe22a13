import type { Json, JsonObject } from '@tenon/kernel'

type Expected = {
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
  readonly finalText: string | null
  readonly thought: string | null
  readonly discarded: string | null
  readonly repair: 'none' | 'lossless'
  readonly diagnostics: readonly string[]
  readonly error: {
    readonly code: string
    readonly position: number | null
    readonly toModel: readonly string[]
  } | null
}

/** A case file of the kind `calls`: what a model wrote, and what has to come of it. */
export type CallsCase = {
  readonly dialect: 'react-text' | 'react-xml' | 'json' | 'native-arguments'
  readonly tools: readonly { readonly name: string; readonly inputSchema: JsonObject }[]
  readonly text: string
  readonly finish?: 'stop' | 'length'
  /** Native calls: the name as it was written. */
  readonly name?: string
  readonly expect: Expected
  readonly stream: boolean
}

/** What came of it, in the same words. */
export type CallsOutcome = Omit<Expected, 'error'> & {
  readonly error: { readonly code: string; readonly position: number | null; readonly message: string } | null
}

const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a as Json)) === JSON.stringify(sorted(b as Json))

/** Keys in one order: that of members is no difference. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item as Json))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** What differs from what is expected, in words. */
export function differences(outcome: CallsOutcome, expected: Expected): string[] {
  const found: string[] = []
  for (const key of ['calls', 'finalText', 'thought', 'discarded', 'repair', 'diagnostics'] as const) {
    if (!same(outcome[key], expected[key]))
      found.push(`${key}: ${shown(outcome[key])} instead of ${shown(expected[key])}`)
  }
  const { error } = outcome
  if (error?.code !== expected.error?.code || error?.position !== expected.error?.position) {
    found.push(`error: ${shown(error)} instead of ${shown(expected.error)}`)
  } else if (error !== null && error !== undefined && expected.error !== null) {
    const message = error.message.toLowerCase()
    const place = error.position === null ? [] : [String(error.position)]
    for (const word of [...expected.error.toModel, ...place]) {
      if (!message.includes(word.toLowerCase())) found.push(`message without ${JSON.stringify(word)}: ${error.message}`)
    }
  }
  return found
}

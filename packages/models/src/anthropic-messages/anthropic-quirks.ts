import type { CallIdRule } from '../wire/wire-call-ids.js'
import { COMMON_CALL_IDS } from '../wire/wire-call-ids.js'

/** In what servers of the messages dialect differ, and which of Anthropic's models takes what. */
export type AnthropicQuirks = {
  readonly callIds: CallIdRule
  readonly auth: 'x-api-key' | 'bearer'
  /** The answer's bound where the request names none: the dialect demands one. The first pattern that fits decides. */
  readonly maxTokens: readonly (readonly [model: RegExp, tokens: number])[]
  /** Models that decide themselves how long to think; the others get a budget. */
  readonly adaptiveThinking: RegExp
  /** Models that can be held to the shape of an answer. */
  readonly structuredOutput: RegExp
  /** What becomes of a thought without a signature. Anthropic refuses it; servers that sign nothing want it back. */
  readonly unsignedThinking: 'send' | 'drop'
  readonly cacheControl: boolean
  readonly media: readonly ('image' | 'audio' | 'file')[]
  readonly stream: boolean
}

const COMMON: AnthropicQuirks = Object.freeze({
  callIds: COMMON_CALL_IDS,
  auth: 'x-api-key',
  maxTokens: [[/^/, 8_192]],
  adaptiveThinking: /^$/,
  structuredOutput: /^$/,
  unsignedThinking: 'send',
  cacheControl: true,
  media: ['image', 'file'],
  stream: true,
} satisfies AnthropicQuirks)

export const ANTHROPIC_QUIRKS: Readonly<Record<string, Partial<AnthropicQuirks>>> = Object.freeze({
  anthropic: {
    maxTokens: [
      [/claude-3-(?:opus|sonnet|haiku)/, 4_096],
      [/claude-3-5/, 8_192],
      [/^/, 32_000],
    ],
    adaptiveThinking: /claude-(?:[a-z]+-)?(?:4-[6-9]|[5-9])/,
    structuredOutput: /claude-(?:opus-4-1|(?:[a-z]+-)?(?:4-[5-9]|[5-9]))/,
    unsignedThinking: 'drop',
  },
} satisfies Record<string, Partial<AnthropicQuirks>>)

/** Tokens that a model of the older kind may spend on thinking. */
export const THINKING_BUDGETS = Object.freeze({ low: 2_048, medium: 8_192, high: 24_576 })

export function anthropicQuirks(provider: string, own: Partial<AnthropicQuirks> = {}): AnthropicQuirks {
  const table = Object.hasOwn(ANTHROPIC_QUIRKS, provider) ? ANTHROPIC_QUIRKS[provider] : undefined
  return { ...COMMON, ...table, ...own }
}

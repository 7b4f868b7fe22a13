import type { CallIdRule } from '../wire/wire-call-ids.js'
import { COMMON_CALL_IDS } from '../wire/wire-call-ids.js'

/** In what servers of the responses dialect differ. */
export type ResponsesQuirks = {
  readonly callIds: CallIdRule
  readonly promptCacheKey: boolean
  /** Models that think, and give their thoughts encrypted when asked to. */
  readonly thinks: RegExp
  /**
   * What becomes of a thought that is not encrypted. Where the server keeps nothing (`store: false`) it knows the
   * thought's id no more, so the thought goes, and the id of the call that it led to with it.
   */
  readonly openReasoning: 'send' | 'drop'
  readonly media: readonly ('image' | 'audio' | 'file')[]
  readonly stream: boolean
}

const COMMON: ResponsesQuirks = Object.freeze({
  callIds: COMMON_CALL_IDS,
  promptCacheKey: false,
  thinks: /^$/,
  openReasoning: 'send',
  media: ['image', 'file'],
  stream: true,
} satisfies ResponsesQuirks)

export const RESPONSES_QUIRKS: Readonly<Record<string, Partial<ResponsesQuirks>>> = Object.freeze({
  openai: { promptCacheKey: true, thinks: /^(?:o\d|gpt-[5-9]|codex)/, openReasoning: 'drop' },
  xai: { thinks: /^grok-(?:4|3-mini)/ },
} satisfies Record<string, Partial<ResponsesQuirks>>)

export function responsesQuirks(provider: string, own: Partial<ResponsesQuirks> = {}): ResponsesQuirks {
  const table = Object.hasOwn(RESPONSES_QUIRKS, provider) ? RESPONSES_QUIRKS[provider] : undefined
  return { ...COMMON, ...table, ...own }
}

import type { EffortOff } from '../wire/reasoning-effort.js'
import { OPENAI_EFFORT_OFF } from '../wire/reasoning-effort.js'
import type { CallIdRule } from '../wire/wire-call-ids.js'
import { COMMON_CALL_IDS, NINE_CALL_IDS } from '../wire/wire-call-ids.js'

/** In what servers of the chat dialect differ. Applied when a request is written, and nowhere else. */
export type ChatQuirks = {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens'
  readonly systemRole: 'system' | 'developer'
  /** It has to be asked for usage at the end of a stream, and knows the question. */
  readonly streamUsage: boolean
  readonly callIds: CallIdRule
  /** Its word for "call some tool". */
  readonly requiredChoice: 'required' | 'any'
  /** How it can be held to the shape of an answer; by `prompt` it is only told. */
  readonly output: 'json_schema' | 'json_object' | 'prompt'
  /** Which words the schemas of tools may use. The host checks against the schema itself. */
  readonly toolSchema: 'full' | 'gemini'
  /** How it is told to think, if at all. */
  readonly reasoning: 'effort' | 'reasoning-object' | 'enable-thinking' | 'thinking-type' | 'none'
  /** By model, what "do not think" is where effort is the word for thinking. */
  readonly effortOff: EffortOff
  /** When a plain thought goes back. Lists of details always do. */
  readonly reasoningBack: 'with-calls' | 'never'
  readonly promptCacheKey: boolean
  readonly parallelCalls: boolean
  readonly media: readonly ('image' | 'audio' | 'file')[]
  /** What stands for content where a turn has only calls. */
  readonly emptyContent: null | ''
  /** Whether answers are asked for as streams. */
  readonly stream: boolean
}

const COMMON: ChatQuirks = Object.freeze({
  tokenLimit: 'max_tokens',
  systemRole: 'system',
  streamUsage: true,
  callIds: COMMON_CALL_IDS,
  requiredChoice: 'required',
  output: 'json_schema',
  toolSchema: 'full',
  reasoning: 'effort',
  effortOff: [],
  reasoningBack: 'with-calls',
  promptCacheKey: false,
  parallelCalls: true,
  media: ['image'],
  emptyContent: null,
  stream: true,
} satisfies ChatQuirks)

/** By provider; what is absent is as for everybody. */
export const CHAT_QUIRKS: Readonly<Record<string, Partial<ChatQuirks>>> = Object.freeze({
  openai: {
    tokenLimit: 'max_completion_tokens',
    systemRole: 'developer',
    promptCacheKey: true,
    media: ['image', 'audio', 'file'],
    reasoningBack: 'never',
    effortOff: OPENAI_EFFORT_OFF,
  },
  gemini: { toolSchema: 'gemini', media: ['image', 'audio'], parallelCalls: false, effortOff: [[/flash/, 'none']] },
  deepseek: { output: 'json_object', reasoning: 'thinking-type', media: [], parallelCalls: false },
  dashscope: { reasoning: 'enable-thinking' },
  zai: { output: 'json_object', reasoning: 'thinking-type', parallelCalls: false },
  moonshot: { reasoning: 'none', parallelCalls: false },
  mistral: { callIds: NINE_CALL_IDS, streamUsage: false, requiredChoice: 'any', reasoning: 'none', emptyContent: '' },
  openrouter: { reasoning: 'reasoning-object', media: ['image', 'audio', 'file'] },
  xai: { tokenLimit: 'max_completion_tokens' },
  groq: { tokenLimit: 'max_completion_tokens' },
  cerebras: { tokenLimit: 'max_completion_tokens', media: [] },
  ollama: { emptyContent: '' },
} satisfies Record<string, Partial<ChatQuirks>>)

export function chatQuirks(provider: string, own: Partial<ChatQuirks> = {}): ChatQuirks {
  const table = Object.hasOwn(CHAT_QUIRKS, provider) ? CHAT_QUIRKS[provider] : undefined
  return { ...COMMON, ...table, ...own }
}

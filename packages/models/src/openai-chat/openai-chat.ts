import type { Model } from '@tenon/kernel'
import { usageInsidePrompt } from '../wire/usage-report.js'
import type { WireDialect, WireOptions } from '../wire/wire-model.js'
import { wireModel } from '../wire/wire-model.js'
import type { ChatQuirks } from './chat-quirks.js'
import { chatQuirks } from './chat-quirks.js'
import { ChatReader } from './chat-reader.js'
import { chatRequest } from './chat-request.js'
import type { ThinkTags } from './think-tags.js'

export type OpenAiChatOptions = WireOptions & {
  /** In what this server differs from what the table says of its provider. */
  readonly quirks?: Partial<ChatQuirks>
  /** How thoughts in the text are told apart; `leading` if absent. */
  readonly thinkTags?: ThinkTags
}

/** A model behind an API that speaks OpenAI's chat completions: OpenAI itself, and most others. */
export function openaiChat(options: OpenAiChatOptions): Model {
  return wireModel(options, openAiChatDialect(options))
}

export function openAiChatDialect(options: OpenAiChatOptions): WireDialect {
  const quirks = chatQuirks(options.provider, options.quirks)
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    streamAsked: quirks.stream,
    thinkTags: options.thinkTags ?? 'leading',
    write: (request, self, names) => chatRequest(request, self, names, quirks),
    reader: (context) => new ChatReader(context),
    usage: ({ usage, report }) =>
      usage === undefined ? null : usageInsidePrompt(usage, () => report('usage-adjusted')),
    headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
}

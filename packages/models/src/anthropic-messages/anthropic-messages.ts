import type { Model } from '@tenon/kernel'
import { usageBesideCache } from '../wire/usage-report.js'
import type { WireDialect, WireOptions } from '../wire/wire-model.js'
import { wireModel } from '../wire/wire-model.js'
import type { AnthropicQuirks } from './anthropic-quirks.js'
import { anthropicQuirks } from './anthropic-quirks.js'
import { AnthropicReader } from './anthropic-reader.js'
import { anthropicRequest } from './anthropic-request.js'

/** The version of the API whose shapes this dialect speaks. */
const API_VERSION = '2023-06-01'

export type AnthropicMessagesOptions = WireOptions & {
  /** In what this server differs from what the table says of its provider. */
  readonly quirks?: Partial<AnthropicQuirks>
}

/** A model behind an API that speaks Anthropic's messages. The base address may end in the version or before it. */
export function anthropicMessages(options: AnthropicMessagesOptions): Model {
  return wireModel(options, anthropicMessagesDialect(options))
}

export function anthropicMessagesDialect(options: AnthropicMessagesOptions): WireDialect {
  const quirks = anthropicQuirks(options.provider, options.quirks)
  return {
    name: 'anthropic-messages',
    path: /\/v\d+\/*(?:\?|$)/.test(options.baseUrl) ? '/messages' : '/v1/messages',
    streamAsked: quirks.stream,
    thinkTags: 'off',
    write: (request, self, names) => anthropicRequest(request, self, names, quirks),
    reader: (context) => new AnthropicReader(context),
    usage: ({ usage }) => (usage === undefined ? null : usageBesideCache(usage)),
    headers: (key): Record<string, string> => ({
      'anthropic-version': API_VERSION,
      ...(key === undefined
        ? {}
        : quirks.auth === 'bearer'
          ? { authorization: `Bearer ${key}` }
          : { 'x-api-key': key }),
    }),
  }
}

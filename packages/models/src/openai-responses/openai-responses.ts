import type { Model } from '@tenon/kernel'
import { usageInsidePrompt } from '../wire/usage-report.js'
import type { WireDialect, WireOptions } from '../wire/wire-model.js'
import { wireModel } from '../wire/wire-model.js'
import type { ResponsesQuirks } from './responses-quirks.js'
import { responsesQuirks } from './responses-quirks.js'
import { ResponsesReader } from './responses-reader.js'
import { responsesRequest } from './responses-request.js'

export type OpenAiResponsesOptions = WireOptions & {
  /** In what this server differs from what the table says of its provider. */
  readonly quirks?: Partial<ResponsesQuirks>
}

/** A model behind an API that speaks OpenAI's responses. */
export function openaiResponses(options: OpenAiResponsesOptions): Model {
  return wireModel(options, openAiResponsesDialect(options))
}

export function openAiResponsesDialect(options: OpenAiResponsesOptions): WireDialect {
  const quirks = responsesQuirks(options.provider, options.quirks)
  return {
    name: 'openai-responses',
    path: '/responses',
    streamAsked: quirks.stream,
    thinkTags: 'off',
    write: (request, self, names) => responsesRequest(request, self, names, quirks),
    reader: (context) => new ResponsesReader(context),
    usage: ({ usage, report }) =>
      usage === undefined ? null : usageInsidePrompt(usage, () => report('usage-adjusted')),
    headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
}

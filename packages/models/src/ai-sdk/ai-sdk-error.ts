import type { ErrorRecord, Json } from '@tenon/kernel'
import { errorRecord, isJsonObject } from '@tenon/kernel'
import type { ModelsErrorCode } from '../errors.js'
import { ModelsError } from '../errors.js'
import { wireError } from '../wire/wire-error.js'

/** What an error of the SDK means where it comes from no answer of the provider. By the error's name. */
const MEANINGS: Readonly<Record<string, readonly [ModelsErrorCode, string]>> = {
  AI_LoadAPIKeyError: ['key-missing', 'The provider has no API key; set the variable that its documentation names.'],
  AI_LoadSettingError: ['invalid-request', 'The provider lacks a setting; see its documentation.'],
  AI_NoSuchModelError: ['model-not-found', 'The provider knows no such model.'],
  AI_UnsupportedFunctionalityError: ['invalid-request', 'The provider cannot do what was asked.'],
  AI_InvalidPromptError: ['invalid-request', 'The provider refuses the prompt.'],
  AI_InvalidArgumentError: ['invalid-request', 'The provider refuses a setting.'],
  AI_EmptyResponseBodyError: ['bad-response', 'The provider answered with nothing.'],
  AI_InvalidResponseDataError: ['bad-response', 'What the provider answered is no answer.'],
  AI_JSONParseError: ['bad-response', 'What the provider answered is no JSON.'],
  AI_TypeValidationError: ['bad-response', 'What the provider answered has another form than it should.'],
  AI_NoContentGeneratedError: ['bad-response', 'The provider answered with nothing.'],
}

/**
 * The error of the package's table that something thrown or streamed by the SDK means. An answer of the provider is
 * read as in every wire dialect: by status, codes and words.
 */
export function aiSdkError(thrown: unknown, provider: string): ErrorRecord {
  const error = unwrapped(thrown)
  const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {}
  if (typeof fields.statusCode === 'number')
    return wireError({
      provider,
      status: fields.statusCode,
      headers: lowerCase(fields.responseHeaders),
      ...bodyOf(fields),
      now: Date.now(),
    })
  const name = error instanceof Error ? error.name : ''
  const meaning = MEANINGS[name]
  if (meaning !== undefined) return errorRecord(new ModelsError(meaning[0], meaning[1], { detail: { provider } }))
  if (name === 'AI_APICallError' || (error instanceof TypeError && error.cause !== undefined))
    return errorRecord(
      new ModelsError('unreachable', `${provider} cannot be reached. Is the network up, and is the address right?`, {
        detail: { provider },
      }),
    )
  if (error instanceof Error)
    return errorRecord(new ModelsError('server-error', `${provider} failed: ${error.name}.`, { detail: { provider } }))
  // An error event of a stream: the provider's own words as data.
  return wireError({ provider, status: 200, headers: {}, body: { error: (error ?? '') as Json }, now: Date.now() })
}

/** The SDK's retries hide the last error in a list. */
function unwrapped(thrown: unknown): unknown {
  const last =
    isJsonObject(thrown) || thrown instanceof Error ? (thrown as { lastError?: unknown }).lastError : undefined
  return last ?? thrown
}

function bodyOf(fields: Readonly<Record<string, unknown>>): {
  readonly body: Json | undefined
  readonly text?: string
} {
  const { responseBody, data } = fields
  if (typeof responseBody === 'string') {
    try {
      return { body: JSON.parse(responseBody) as Json }
    } catch {
      return responseBody.trimStart().startsWith('<') ? { body: undefined } : { body: undefined, text: responseBody }
    }
  }
  return { body: isJsonObject(data) ? data : undefined }
}

function lowerCase(headers: unknown): Record<string, string> {
  if (!isJsonObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

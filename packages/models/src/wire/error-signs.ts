import type { ModelsErrorCode } from '../errors.js'

/** What an error says, taken apart: its codes and types in lower case, its words, its status. */
export type ErrorEvidence = {
  readonly status: number
  readonly codes: ReadonlySet<string>
  readonly words: string
}

/** A way in which providers say one thing. The first sign of the list that fits decides. */
export type ErrorSign = {
  readonly code: ModelsErrorCode
  readonly codes?: readonly string[]
  readonly statuses?: readonly number[]
  readonly words?: RegExp
  /** Statuses whose own meaning is stronger than the words. */
  readonly unless?: readonly number[]
}

/** In the order in which they are asked: an empty balance is a 429 too, and an overflow may hide in a limit. */
export const ERROR_SIGNS: readonly ErrorSign[] = [
  {
    code: 'quota-exhausted',
    codes: [
      'insufficient_quota',
      'insufficient_balance',
      'insufficient_credits',
      'billing_error',
      'billing_not_active',
      'billing_hard_limit_reached',
      'exceeded_current_quota_error',
      'arrearage',
      'accountoverdueerror',
      '1008',
      '1113',
      '1304',
    ],
    statuses: [402],
    words:
      /balance is too low|insufficient (?:account )?balance|insufficient credits|\bquotaid\W+\w*perday|\b(?:tokens|requests) per day\b|per-day|daily (?:quota|limit)/i,
  },
  {
    code: 'content-filtered',
    codes: [
      'content_filter',
      'content_filtered',
      'content_policy_violation',
      'data_inspection_failed',
      'datainspectionfailed',
      'responsibleaipolicyviolation',
      'moderation_blocked',
      'prohibited_content',
      'sensitive',
      '1026',
      '1027',
      '1301',
    ],
    words:
      /DataInspectionFailed|data_inspection_failed|content management policy|input was flagged|prompt was flagged/i,
  },
  {
    code: 'bad-tool-call',
    codes: ['tool_use_failed', 'tool_call_parse_error', 'malformed_function_call'],
    words: /pars(?:e|ing) (?:the )?(?:generated )?tool call|failed to call a function|failed to parse input at pos/i,
  },
  {
    code: 'overloaded',
    codes: [
      'overloaded_error',
      'overloaded',
      'engine_overloaded',
      'engine_overloaded_error',
      'server_overloaded',
      'server_is_overloaded',
      'model_overloaded',
      'slow_down',
      'unavailable',
      '1305',
    ],
    words: /\boverloaded\b/i,
  },
  {
    code: 'context-overflow',
    codes: [
      'context_length_exceeded',
      'exceed_context_size_error',
      'context_window_exceeded',
      'model_context_window_exceeded',
      'max_context_length_exceeded',
      '1261',
    ],
  },
  { code: 'request-too-large', codes: ['request_too_large'], statuses: [413] },
  {
    code: 'rate-limited',
    codes: [
      'rate_limit_exceeded',
      'rate_limit_error',
      'rate_limit_reached_error',
      'rate_limited',
      'rate_limit',
      'resource_exhausted',
      'too_many_requests',
      'limit_burst_rate',
      'limit_requests',
      'throttling',
      'throttling_error',
      'throttling.ratequota',
      'throttling.burstrate',
      'throttling.allocationquota',
      'throttlingexception',
      '1002',
      '1302',
      '1303',
    ],
    statuses: [429],
  },
  {
    code: 'context-overflow',
    words:
      /maximum context length|prompt is too long|input is too long|tokens allowed|context[ _]length|context[ _]window|context[ _]size|context limit|model token limit|maximum prompt length|range of input length|reduce the length of the messages/i,
  },
  {
    code: 'history-rejected',
    codes: ['invalid_encrypted_content'],
    words:
      /signature|reasoning_content|encrypted[ _]content|thinking blocks|expected `?thinking`?|ids were found without|did not have response messages|no tool (?:call|output) found for|without its required|response to a prece+ding message/i,
    unless: [401, 403],
  },
  {
    code: 'bad-schema',
    codes: ['invalid_function_parameters', 'invalid_json_schema', 'invalid_tool_schema'],
    words:
      /unknown name .*(?:tools?\b|function)|invalid schema for|json schema is invalid|input_schema|(?:tools|functions?)(?:\[\d+\]|\.\d+)\S*\.parameters/is,
  },
]

/** What a status means where nothing else says more. */
export const STATUS_CODES: Readonly<Record<number, ModelsErrorCode>> = {
  401: 'auth',
  403: 'forbidden',
  404: 'model-not-found',
  408: 'timeout',
  504: 'timeout',
  524: 'timeout',
  503: 'overloaded',
  529: 'overloaded',
}

/** What a type or code means inside an answer that came with a good status. */
export const TYPE_CODES: Readonly<Record<string, ModelsErrorCode>> = {
  authentication_error: 'auth',
  invalid_api_key: 'auth',
  invalidapikey: 'auth',
  unauthenticated: 'auth',
  unauthorized: 'auth',
  '1004': 'auth',
  '2049': 'auth',
  permission_error: 'forbidden',
  permission_denied: 'forbidden',
  not_found_error: 'model-not-found',
  model_not_found: 'model-not-found',
  not_found: 'model-not-found',
  timeout: 'timeout',
  timeout_error: 'timeout',
  gatewaytimeout: 'timeout',
  deadline_exceeded: 'timeout',
  '1001': 'timeout',
  invalid_request_error: 'invalid-request',
  invalid_request: 'invalid-request',
  badrequesterror: 'invalid-request',
  invalid_argument: 'invalid-request',
  invalid_prompt: 'invalid-request',
  '2013': 'invalid-request',
}

/** Codes after which a wait that the provider names is worth keeping. */
export const WAITING_CODES: ReadonlySet<ModelsErrorCode> = new Set([
  'rate-limited',
  'overloaded',
  'server-error',
  'timeout',
])

/** What somebody can do about it. */
export const ERROR_ADVICE: Readonly<Partial<Record<ModelsErrorCode, string>>> = {
  'rate-limited': 'Too many requests or tokens for now; try again later or use another deployment.',
  overloaded: 'The provider is overloaded; try again later or use another deployment.',
  'server-error': 'The provider failed; try again, and look at its status page if it goes on.',
  timeout: 'The provider took too long; try again or allow more time.',
  'bad-response': 'What came back is no answer of this API; check the base address and the dialect.',
  'bad-tool-call': 'The provider could not parse a tool call of its own model; try again.',
  'invalid-request': 'The provider refuses the request; check the settings for this model.',
  'bad-schema': 'The provider refuses the schema of a tool or of the output; simplify it or turn strict mode off.',
  'context-overflow':
    'The conversation is longer than the model can read; shorten it or use a model with a larger window.',
  'request-too-large': 'The request has too many bytes; send fewer or smaller attachments.',
  auth: 'The key was not accepted; check which key is set for this provider.',
  forbidden: 'The key may not use this model or region; use another key, model or deployment.',
  'model-not-found': 'No such model or address there; check the model name and the base address.',
  'quota-exhausted': 'The balance or quota is used up; top up the account or use another key.',
  'content-filtered': "The provider's content filter stopped it; change what is asked.",
  'history-rejected': 'The provider refuses the conversation so far; start a new turn without the old reasoning.',
  'wrong-endpoint':
    'A web page came back instead of an answer: the address does not look like an API; check the base address.',
}

import type { Json } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { readWire, sse } from '../../test/support/read-wire.js'

const refused = (status: number, body: Json | string, headers: Record<string, string> = {}) => {
  const read = readWire({
    status,
    stream: false,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  expect(read).toMatchObject({ finish: 'error', blocks: [], usage: null, diagnostics: [] })
  return read.error
}
const error = (part: Json) => ({ error: part })

test.each<[string, number, Json | string]>([
  // Used-up balance or daily quota, before everything else.
  ['quota-exhausted', 429, error({ code: 'insufficient_quota', message: 'context_length_exceeded' })],
  ['quota-exhausted', 402, error({ message: 'Insufficient Balance' })],
  ['quota-exhausted', 400, error({ type: 'invalid_request_error', message: 'Your credit balance is too low' })],
  ['quota-exhausted', 429, error({ code: '1113', message: 'x' })],
  ['quota-exhausted', 200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
  [
    'quota-exhausted',
    429,
    error({
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }],
    }),
  ],
  [
    'rate-limited',
    429,
    error({
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      details: [{ violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }] }],
    }),
  ],
  ['content-filtered', 400, error({ code: 'content_filter', message: 'x' })],
  ['content-filtered', 500, '<400> InternalError.Algo.DataInspectionFailed: stopped'],
  [
    'bad-tool-call',
    400,
    error({ code: 'tool_use_failed', message: 'Failed to call a function', failed_generation: 'signature' }),
  ],
  ['overloaded', 429, error({ type: 'engine_overloaded_error', message: 'busy' })],
  ['overloaded', 503, error({ message: 'x' })],
  ['context-overflow', 413, error({ code: 'context_length_exceeded' })],
  ['context-overflow', 400, error({ code: 1261, message: 'too long' })],
  ['context-overflow', 500, error({ type: 'exceed_context_size_error', code: 500, message: 'x' })],
  ['context-overflow', 400, error({ message: 'Invalid request: Your request exceeded model token limit: 8192' })],
  ['request-too-large', 413, error({ code: 'rate_limit_exceeded', message: 'tokens per minute' })],
  ['rate-limited', 429, error({ message: 'This model has a maximum context length and you send too often' })],
  ['rate-limited', 400, error({ code: 'rate_limit_exceeded' })],
  ['history-rejected', 400, error({ message: 'messages.1.content.0: Invalid `signature` in `thinking` block' })],
  ['history-rejected', 400, error({ message: 'Missing `reasoning_content` field in the assistant message' })],
  ['history-rejected', 400, error({ code: 'invalid_encrypted_content', message: 'x' })],
  ['bad-schema', 400, error({ code: 'invalid_function_parameters', message: 'x' })],
  ['invalid-request', 400, error({ message: 'Unknown name "topK" at \'generation_config\': Cannot find field.' })],
  ['auth', 401, error({ message: 'Incorrect API key provided' })],
  ['auth', 401, 'Unauthorized'],
  ['forbidden', 403, error({ message: 'The request signature does not match' })],
  ['model-not-found', 404, '404 page not found'],
  ['timeout', 408, ''],
  ['timeout', 504, ''],
  ['timeout', 524, ''],
  ['overloaded', 529, ''],
  // A gateway passes the error of its own upstream on as text.
  ['context-overflow', 400, error({ message: '{"error":{"code":"context_length_exceeded","message":"x"}}' })],
  ['rate-limited', 502, error({ metadata: { raw: '{"error":{"code":"rate_limit_exceeded"}}' } })],
  ['server-error', 500, error({ message: '{"error":{"code":"slow_down"' })],
  ['wrong-endpoint', 302, ''],
  ['invalid-request', 422, { detail: [{ loc: ['body'], msg: 'field required' }] }],
  ['server-error', 500, ''],
  ['server-error', 520, ''],
  // In a good answer a number in `code` is the status.
  ['rate-limited', 200, error({ code: 429, message: 'slow' })],
  ['auth', 200, error({ code: 401, message: 'x' })],
  ['server-error', 200, error('something broke')],
  ['server-error', 200, [error({ message: 'x' })]],
  ['timeout', 200, { object: 'error', code: 504, message: 'upstream' }],
  ['context-overflow', 200, { code: 400, message: 'the context length is exceeded' }],
  ['overloaded', 200, error({ type: 'overloaded_error', message: 'x' })],
  ['invalid-request', 200, error({ type: 'invalid_request_error', message: 'x' })],
])('%s: status %i, %j', (code, status, body) => {
  expect(refused(status, body)?.code).toBe(code)
})

test('what worked is no error', () => {
  const choices = [{ message: { content: 'a' }, finish_reason: 'stop' }]
  for (const beside of [{ base_resp: { status_code: 0, status_msg: '' } }, { error: null }, { code: 0, message: 'ok' }])
    expect(readWire({ stream: false, body: JSON.stringify({ choices, ...beside }) })).toMatchObject({ finish: 'stop' })
})

test.each<[string, Json]>([
  ['overloaded', { error: { type: 'overloaded_error', message: 'x' } }],
  ['server-error', { error: 'broken' }],
  ['quota-exhausted', { base_resp: { status_code: 1008, status_msg: 'x' } }],
  ['timeout', { code: 504, message: 'x' }],
  ['rate-limited', [{ error: { code: 429, message: 'x' } }]],
])('%s in a stream ends it: %j', (code, event) => {
  const said = { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] }
  expect(readWire({ body: sse(said, event, '[DONE]') })).toMatchObject({
    blocks: [{ text: 'a' }],
    finish: 'error',
    diagnostics: [],
    error: { code },
  })
})

test.each([
  ['retry-after-ms', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  ['seconds', { 'retry-after': '7' }, 7000],
  ['a date', { 'retry-after': 'Mon, 30 Nov 2026 10:01:00 GMT' }, 60_000],
  ['a date gone by', { 'retry-after': 'Mon, 30 Nov 2026 09:00:00 GMT' }, 0],
  [
    'nonsense, then a reset',
    { 'retry-after': 'soon', 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2s' },
    2000,
  ],
  [
    'the longest of the used-up buckets',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '500ms',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1h2m3s',
      'x-ratelimit-remaining-images': '4',
      'x-ratelimit-reset-images': '9h',
    },
    3_723_000,
  ],
  [
    'a reset that is a date',
    {
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-11-30T10:00:12Z',
    },
    12_000,
  ],
  [
    'epoch milliseconds',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse('2026-11-30T10:00:05Z')) },
    5000,
  ],
])('the wait is kept: %s', (_, headers, wait) => {
  expect(refused(429, error({ message: 'try again in 99s' }), headers as Record<string, string>)?.retryAfterMs).toBe(
    wait,
  )
})

test('a retryDelay in the details is a wait, prose is none', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.5s' }]
  expect(refused(429, [error({ code: 429, message: 'x', details })])?.retryAfterMs).toBe(37_500)
  expect(refused(429, error({ message: 'Please try again in 20s.' }))?.retryAfterMs).toBeUndefined()
})

test('headers that a gateway passes on inside of the error are read, and its own count for more', () => {
  const body = error({ code: 429, message: 'x', metadata: { headers: { 'Retry-After': 9, 'X-Other': null } } })
  expect(refused(429, body)?.retryAfterMs).toBe(9000)
  expect(refused(429, body, { 'retry-after': '2' })?.retryAfterMs).toBe(2000)
})

test('a wait is kept only where waiting helps', () => {
  const headers = { 'retry-after': '5' }
  for (const status of [429, 500, 503, 504]) expect(refused(status, '', headers)?.retryAfterMs).toBe(5000)
  for (const status of [400, 401, 403, 404, 413]) expect(refused(status, '', headers)?.retryAfterMs).toBeUndefined()
})

test('what the provider says is told without anything that looks like a key', () => {
  const told = refused(401, error({ message: 'Incorrect API key provided: sk-proj-abcdef0123456789.' }))
  expect(told?.message).toContain('Incorrect API key provided')
  expect(told?.message).not.toContain('abcdef')
})

test('who refused, how, and which request it was, is there for a program to read', () => {
  const body = error({ code: 'insufficient_quota', message: 'x' })
  for (const name of ['x-request-id', 'request-id'])
    expect(refused(429, body, { [name]: 'req_1' })?.detail).toEqual({
      provider: 'test',
      status: 429,
      providerCode: 'insufficient_quota',
      requestId: 'req_1',
    })
  expect(refused(500, '')?.detail).toEqual({ provider: 'test', status: 500 })
})

test('of many words only the first are told, on one line', () => {
  const told = refused(500, error({ message: `first\n\n  second ${'x'.repeat(1_000)}` }))?.message ?? ''
  expect(told).toMatch(/says: first second x{387}…$/)
})

test.each([
  ['blank lines', '\n'],
  ['one half of a sentence', 'unknown name '],
  ['a key without an end', 'Bearer '],
])('a refusal that is nothing but %s is read all the same', (_, words) => {
  for (const body of [words.repeat(60_000), JSON.stringify(error({ message: words.repeat(60_000) }))])
    expect(refused(500, body)?.code).toBe('server-error')
})

test('a stack trace of the provider is not passed on', () => {
  const trace = 'Broken: got dict\n\nTraceback (most recent call last):\n  File "/srv/proxy.py", line 834'
  const told = refused(500, error({ message: trace }))
  expect(told?.message).toContain('Broken: got dict')
  expect(told?.message).not.toContain('/srv')
})

import { expect, test } from 'vitest'
import { modelConnection } from './model-connection.js'
import { modelFacts } from './model-facts.js'
import { parseModelName } from './model-name.js'
import { anthropic, openai, providerModel } from './named-models.js'
import { PROVIDERS } from './providers.js'

test('a name is a provider and the rest, slashes and colons included', () => {
  expect(parseModelName('openrouter/qwen/qwen3:free')).toEqual({ provider: 'openrouter', model: 'qwen/qwen3:free' })
  expect(parseModelName('ollama/qwen3:4b')).toEqual({ provider: 'ollama', model: 'qwen3:4b' })
  expect(parseModelName('anthropic')).toEqual({ provider: 'anthropic', model: '' })
})

test('a bare model name is refused with what was probably meant', () => {
  expect(() => parseModelName('claude-sonnet-5')).toThrow(/probably anthropic\/claude-sonnet-5/)
  expect(() => parseModelName('nonsense')).toThrow(/Providers: openai, anthropic/)
})

test('a snapshot has the price of its model, an unknown model has none', () => {
  expect(modelFacts('anthropic', 'claude-sonnet-4-5-20250929')).toEqual(modelFacts('anthropic', 'claude-sonnet-4-5'))
  expect(modelFacts('openai', 'gpt-5-2025-08-07')?.prices.input).toBe(1.25)
  expect(modelFacts('openai', 'gpt-99')).toBeUndefined()
  const unknown = modelConnection({ provider: 'openai', model: 'gpt-99' }, {}, { OPENAI_API_KEY: 'k' })
  expect(unknown.prices).toBeUndefined()
})

test('settings win over the table, and the table over nothing', () => {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://proxy.test/v1' }
  expect(modelConnection({ provider: 'openai', model: '' }, {}, env)).toMatchObject({
    baseUrl: 'http://proxy.test/v1',
    dialect: 'openai-responses',
  })
  const set = modelConnection(
    { provider: 'openai', model: 'm' },
    { baseUrl: 'http://x.test', apiKey: 'own', dialect: 'openai-chat', contextWindow: 9 },
    env,
  )
  expect(set).toMatchObject({ baseUrl: 'http://x.test', apiKey: 'own', dialect: 'openai-chat', contextWindow: 9 })
})

test('a key of the environment is looked up at each request and stands in no connection', () => {
  const env: Record<string, string> = { OPENAI_API_KEY: 'first' }
  const { apiKey, ...rest } = modelConnection({ provider: 'openai', model: '' }, {}, env)
  if (typeof apiKey !== 'function') throw new Error('the key is kept')
  expect(apiKey()).toBe('first')
  env.OPENAI_API_KEY = 'rotated'
  expect(apiKey()).toBe('rotated')
  delete env.OPENAI_API_KEY
  expect(apiKey).toThrow(/OPENAI_API_KEY/)
  expect(JSON.stringify(rest)).not.toContain('first')
})

test('a server on this machine needs no key and costs nothing', () => {
  const moved = modelConnection({ provider: 'ollama', model: 'm' }, {}, { OLLAMA_HOST: '0.0.0.0' })
  expect(moved).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', prices: { input: 0, output: 0 } })
  expect(moved.apiKey).toBeUndefined()
})

test('a server that does not tell its window is taken for what it is usually started with', () => {
  const ollama = (env: Record<string, string>) => modelConnection({ provider: 'ollama', model: 'm' }, {}, env)
  expect(ollama({}).contextWindow).toBe(4096)
  expect(ollama({ OLLAMA_CONTEXT_LENGTH: '32768' }).contextWindow).toBe(32768)
})

test('an endpoint of any kind needs its address and a model', () => {
  expect(() => modelConnection({ provider: 'openai-compatible', model: 'm' }, {}, {})).toThrow(/baseUrl/)
  expect(() => modelConnection({ provider: 'openai-compatible', model: '' }, { baseUrl: 'http://x.test' }, {})).toThrow(
    /Name the model/,
  )
})

test('a missing key is told with its variable and where to get one', () => {
  const { OPENAI_API_KEY, ANTHROPIC_API_KEY } = process.env
  delete process.env.OPENAI_API_KEY
  delete process.env.ANTHROPIC_API_KEY
  try {
    expect(() => openai('gpt-6.1-sol')).toThrow(/OPENAI_API_KEY.*platform\.openai\.com/)
    expect(() => anthropic('claude-sonnet-5')).toThrow(/ANTHROPIC_API_KEY/)
    expect(anthropic('claude-sonnet-5', { apiKey: 'k' })).toMatchObject({
      author: { provider: 'anthropic', model: 'claude-sonnet-5', dialect: 'anthropic-messages' },
      contextWindow: 1_000_000,
    })
    expect(providerModel('ollama', 'qwen3:4b').author.dialect).toBe('openai-chat')
  } finally {
    if (OPENAI_API_KEY !== undefined) process.env.OPENAI_API_KEY = OPENAI_API_KEY
    if (ANTHROPIC_API_KEY !== undefined) process.env.ANTHROPIC_API_KEY = ANTHROPIC_API_KEY
  }
})

test('every provider names its key, an https address and a default model', () => {
  for (const provider of PROVIDERS) {
    expect(provider.keys.length).toBeGreaterThan(0)
    expect(new URL(provider.baseUrl).protocol).toBe('https:')
    expect(provider.defaultModel).not.toBe('')
  }
  expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length)
})

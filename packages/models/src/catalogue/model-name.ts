import { ModelsError } from '../errors.js'
import { LOCAL_SERVERS, localServerById } from './local-servers.js'
import { PROVIDERS, providerById } from './providers.js'

/** A model as people write it: `anthropic/claude-sonnet-5`, `ollama/qwen3:4b`, `local/qwen3-1.7b`. */
export type ModelName = {
  readonly provider: string
  /** The provider's own name of the model; empty asks for its default. */
  readonly model: string
}

/** The provider name of models that run in this process. */
export const LOCAL_PROVIDER = 'local'
/** The provider name of any endpoint that speaks OpenAI's chat form; it needs a base URL from the configuration. */
export const COMPATIBLE_PROVIDER = 'openai-compatible'

const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'gemini'],
  [/^deepseek-/, 'deepseek'],
  [/^grok-/, 'xai'],
  [/^kimi-/, 'moonshot'],
  [/^(?:mistral|codestral|devstral|magistral|ministral)-/, 'mistral'],
]

/** @throws ModelsError `model-unknown` when the first part is no provider; the message says what to write. */
export function parseModelName(written: string): ModelName {
  const slash = written.indexOf('/')
  const provider = slash < 0 ? written : written.slice(0, slash)
  const model = slash < 0 ? '' : written.slice(slash + 1)
  if (isProvider(provider)) return { provider, model }
  const guess = PREFIXES.find(([prefix]) => prefix.test(written))?.[1]
  const known = [...PROVIDERS, ...LOCAL_SERVERS].map(({ id }) => id)
  throw new ModelsError(
    'model-unknown',
    `"${written}" names no model: write PROVIDER/MODEL${guess ? `, here probably ${guess}/${written}` : ''}. ` +
      `Providers: ${[...known, LOCAL_PROVIDER, COMPATIBLE_PROVIDER].join(', ')}.`,
    { detail: { written, ...(guess ? { suggestion: `${guess}/${written}` } : {}) } },
  )
}

function isProvider(id: string): boolean {
  return (
    id === LOCAL_PROVIDER ||
    id === COMPATIBLE_PROVIDER ||
    providerById(id) !== undefined ||
    localServerById(id) !== undefined
  )
}

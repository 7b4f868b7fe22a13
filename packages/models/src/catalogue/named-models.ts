import type { Model } from '@tenon/kernel'
import { connectModel } from './connect-model.js'
import { type ConnectionSettings, modelConnection } from './model-connection.js'

/**
 * An OpenAI model, by its own name: `openai('gpt-6.1-sol')`. The key comes from `OPENAI_API_KEY` unless it is given.
 *
 * @throws ModelsError `key-missing`
 */
export const openai = (model: string, settings: ConnectionSettings = {}): Model => named('openai', model, settings)

/**
 * An Anthropic model, by its own name: `anthropic('claude-sonnet-5')`. The key comes from `ANTHROPIC_API_KEY` unless
 * it is given.
 *
 * @throws ModelsError `key-missing`
 */
export const anthropic = (model: string, settings: ConnectionSettings = {}): Model =>
  named('anthropic', model, settings)

/**
 * A model of any provider in the table or of a server on this machine: `providerModel('ollama', 'qwen3:4b')`.
 *
 * @throws ModelsError `key-missing`, `model-unknown`
 */
export const providerModel = (provider: string, model: string, settings: ConnectionSettings = {}): Model =>
  named(provider, model, settings)

function named(provider: string, model: string, settings: ConnectionSettings): Model {
  return connectModel(modelConnection({ provider, model }, settings, process.env))
}

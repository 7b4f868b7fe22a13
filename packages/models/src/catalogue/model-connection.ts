import type { Prices } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { localServerById, originOf, usualWindow } from './local-servers.js'
import { modelFacts } from './model-facts.js'
import { COMPATIBLE_PROVIDER, type ModelName } from './model-name.js'
import { type Provider, providerById, type WireDialect } from './providers.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What a configuration may say about how a model is reached. What is absent comes from the tables and the environment. */
export type ConnectionSettings = {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly dialect?: WireDialect
  readonly headers?: Readonly<Record<string, string>>
  readonly contextWindow?: number
  readonly prices?: Prices
}

/** Everything that is needed to reach a model over the wire. */
export type ModelConnection = {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  readonly dialect: WireDialect
  /** A key of the environment is looked up at each request and kept nowhere. */
  readonly apiKey?: string | (() => string)
  readonly headers?: Readonly<Record<string, string>>
  readonly contextWindow: number
  readonly prices?: Prices
}

/** For a provider's model that no table knows. */
const UNKNOWN_WINDOW = 128_000

/**
 * Settles how a model is reached. Pure: the environment is given.
 *
 * @throws ModelsError `key-missing` when a provider's key is neither given nor in the environment; `model-unknown` when
 * the name cannot be completed.
 */
export function modelConnection(name: ModelName, settings: ConnectionSettings, env: Environment): ModelConnection {
  const provider = providerById(name.provider)
  if (provider !== undefined) return providerConnection(provider, name.model || provider.defaultModel, settings, env)
  const server = localServerById(name.provider)
  if (server === undefined && name.provider !== COMPATIBLE_PROVIDER)
    throw new ModelsError('model-unknown', `${name.provider}/${name.model} is not reached over the wire.`)
  const baseUrl = settings.baseUrl ?? (server && `${originOf(server, env)}/v1`)
  if (baseUrl === undefined)
    throw new ModelsError('model-unknown', `${COMPATIBLE_PROVIDER} needs \`baseUrl\` in the configuration.`)
  if (name.model === '')
    throw new ModelsError('model-unknown', `Name the model: ${name.provider}/MODEL (\`tenon models\` lists them).`)
  return {
    provider: name.provider,
    model: name.model,
    baseUrl,
    dialect: settings.dialect ?? 'openai-chat',
    ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
    ...(settings.headers === undefined ? {} : { headers: settings.headers }),
    contextWindow: settings.contextWindow ?? (server === undefined ? UNKNOWN_WINDOW : usualWindow(server, env)),
    ...pricesOf(settings.prices ?? (server && FREE)),
  }
}

const FREE: Prices = { input: 0, output: 0 }

function providerConnection(
  provider: Provider,
  model: string,
  settings: ConnectionSettings,
  env: Environment,
): ModelConnection {
  const fromEnvironment = (): string => {
    const found = keyInEnvironment(provider, env)
    if (found === undefined) throw keyMissing(provider)
    return found.key
  }
  // Looked up now as well, so that whoever asks for the model hears of a missing key before the first request.
  if (settings.apiKey === undefined) fromEnvironment()
  const moved = provider.baseUrlVariable === undefined ? undefined : env[provider.baseUrlVariable]
  const facts = modelFacts(provider.id, model)
  return {
    provider: provider.id,
    model,
    baseUrl: settings.baseUrl ?? (moved || provider.baseUrl),
    dialect: settings.dialect ?? provider.dialect,
    apiKey: settings.apiKey ?? fromEnvironment,
    ...(settings.headers === undefined ? {} : { headers: settings.headers }),
    contextWindow: settings.contextWindow ?? facts?.contextWindow ?? UNKNOWN_WINDOW,
    ...pricesOf(settings.prices ?? facts?.prices),
  }
}

function keyMissing(provider: Provider): ModelsError {
  return new ModelsError(
    'key-missing',
    `${provider.title} needs a key: set ${provider.keys[0]} (one is made at ${provider.keyPage}), ` +
      `or \`apiKey: \${${provider.keys[0]}}\` in tenon.yaml.`,
    { detail: { provider: provider.id, variables: [...provider.keys] } },
  )
}

const pricesOf = (prices: Prices | undefined): { readonly prices?: Prices } => (prices === undefined ? {} : { prices })

/** The key and the name of the variable that holds it. */
export function keyInEnvironment(
  provider: Provider,
  env: Environment,
): { readonly variable: string; readonly key: string } | undefined {
  for (const variable of provider.keys) {
    const key = env[variable]?.trim()
    if (key) return { variable, key }
  }
  return undefined
}

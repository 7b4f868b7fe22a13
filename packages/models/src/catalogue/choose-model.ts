import { errorRecord } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import type { InstalledModel } from '../local/installed-model.js'
import { type LocalServer, localServerById } from './local-servers.js'
import { type ConnectionSettings, keyInEnvironment, type ModelConnection, modelConnection } from './model-connection.js'
import { COMPATIBLE_PROVIDER, LOCAL_PROVIDER, parseModelName } from './model-name.js'
import { PROVIDERS } from './providers.js'

/** A model that somebody asked for: `provider/model`, and where it was said. */
export type NamedModel = {
  readonly name: string
  /** As the explanation should call it: `--model`, `tenon.yaml`. */
  readonly by: string
  readonly settings?: ConnectionSettings
}

/** Everything that the choice is made from. Gathered by `probeModels`. */
export type ModelProbes = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly named?: NamedModel
  readonly servers: readonly LocalServer[]
  readonly installed: readonly InstalledModel[]
  /** A demo's rehearsal file, as the user knows it. */
  readonly rehearsal?: string
}

export type ModelChoice =
  | { readonly kind: 'wire'; readonly name: string; readonly connection: ModelConnection }
  | { readonly kind: 'local'; readonly name: string; readonly installed: InstalledModel }
  | { readonly kind: 'rehearsal'; readonly name: string; readonly file: string }

/** One of the ways, in their order. */
export type ModelWay = {
  readonly way: 'named' | 'key' | 'server' | 'installed' | 'rehearsal'
  readonly state: 'chosen' | 'available' | 'absent' | 'refused'
  /** For a person: what was found. Never a key. */
  readonly text: string
}

export type ModelDecision = {
  readonly choice: ModelChoice | null
  /** Set when there is no choice: what is missing and how to get it. */
  readonly error?: ModelsError
  readonly ways: readonly ModelWay[]
}

type Finding = {
  readonly way: ModelWay['way']
  readonly text: string
  readonly choice?: ModelChoice
  readonly error?: ModelsError
}

/**
 * Which model answers: one that was named; a provider whose key is in the environment; a server on this machine; an
 * installed model that can choose tools; the rehearsal of a demo. A named model that cannot be had is an error, never
 * a reason to take another. Pure.
 */
export function chooseModel(probes: ModelProbes): ModelDecision {
  const findings = [named(probes), byKey(probes), byServer(probes), byInstalled(probes), byRehearsal(probes)]
  const decided = findings.find((finding) => finding.choice !== undefined || finding.error !== undefined)
  const ways = findings.map((finding): ModelWay => {
    const { way, text } = finding
    if (finding.error !== undefined) return { way, text, state: 'refused' }
    if (finding.choice === undefined) return { way, text, state: 'absent' }
    return { way, text, state: finding === decided ? 'chosen' : 'available' }
  })
  if (decided?.choice !== undefined) return { choice: decided.choice, ways }
  return { choice: null, error: decided?.error ?? noModel(), ways }
}

function named({ env, named: asked, installed, servers }: ModelProbes): Finding {
  const way = 'named'
  if (asked === undefined) return { way, text: 'no model is named (--model, or `model` in tenon.yaml)' }
  try {
    const name = parseModelName(asked.name)
    if (name.provider === LOCAL_PROVIDER) {
      const found = installed.find((model) => model.name === name.model)
      if (found === undefined) throw notInstalled(name.model, installed)
      return { way, text: `${asked.by} names ${asked.name}`, choice: localChoice(found) }
    }
    const server = servers.find(({ id }) => id === name.provider)
    const served =
      server?.models.find(({ model }) => model === name.model) ?? (name.model === '' ? server?.models[0] : undefined)
    const settings = served?.contextWindow === undefined ? {} : { contextWindow: served.contextWindow }
    const connection = modelConnection(
      { provider: name.provider, model: name.model || (served?.model ?? '') },
      { ...settings, ...asked.settings },
      env,
    )
    return { way, text: `${asked.by} names ${asked.name}`, choice: wireChoice(connection) }
  } catch (error) {
    if (!(error instanceof ModelsError)) throw error
    return { way, text: `${asked.by} names ${asked.name}: ${errorRecord(error).message}`, error }
  }
}

function byKey({ env }: ModelProbes): Finding {
  const way = 'key'
  const found = PROVIDERS.flatMap((provider) => {
    const key = keyInEnvironment(provider, env)
    return key === undefined ? [] : [{ provider, variable: key.variable }]
  })
  const first = found[0]
  if (first === undefined)
    return { way, text: `no provider key in the environment (${PROVIDERS.map(({ keys }) => keys[0]).join(', ')})` }
  const connection = modelConnection({ provider: first.provider.id, model: '' }, {}, env)
  const others = found.slice(1).map(({ variable }) => variable)
  const more = others.length === 0 ? '' : `; also ${others.join(', ')}`
  const choice = wireChoice(connection)
  return { way, text: `${first.variable} is set: ${choice.name}${more}`, choice }
}

function byServer({ env, servers }: ModelProbes): Finding {
  const way = 'server'
  const serving = servers.find((server) => server.models.length > 0)
  const served = serving?.models[0]
  if (serving === undefined || served === undefined) {
    const idle = servers.map(({ title }) => `${title} answers but serves no chat model`)
    return { way, text: idle.join('; ') || 'no local server answers (Ollama, LM Studio, llama.cpp, vLLM)' }
  }
  const connection = modelConnection(
    { provider: serving.id, model: served.model },
    {
      baseUrl: serving.baseUrl,
      ...(served.contextWindow === undefined ? {} : { contextWindow: served.contextWindow }),
    },
    env,
  )
  const more = serving.models.length > 1 ? ` and ${serving.models.length - 1} more` : ''
  return { way, text: `${serving.title} answers: ${served.model}${more}`, choice: wireChoice(connection) }
}

function byInstalled({ installed }: ModelProbes): Finding {
  const way = 'installed'
  const fit = installed.find((model) => model.choosesTools)
  if (fit !== undefined) return { way, text: `${fit.name} is installed`, choice: localChoice(fit) }
  if (installed.length === 0) return { way, text: 'no local model is installed (`tenon models add qwen3-4b`)' }
  const names = installed.map(({ name }) => name).join(', ')
  return { way, text: `installed but too small to choose tools, so only used when named: ${names}` }
}

function byRehearsal({ rehearsal }: ModelProbes): Finding {
  const way = 'rehearsal'
  if (rehearsal === undefined) return { way, text: 'no rehearsal: those belong to demos' }
  const choice = { kind: 'rehearsal', name: 'rehearsal', file: rehearsal } as const
  return { way, text: `${rehearsal} can be played; no language model is at work then`, choice }
}

const wireChoice = (connection: ModelConnection): ModelChoice => ({
  kind: 'wire',
  name: `${connection.provider}/${connection.model}`,
  connection,
})

const localChoice = (installed: InstalledModel): ModelChoice => ({
  kind: 'local',
  name: `${LOCAL_PROVIDER}/${installed.name}`,
  installed,
})

function notInstalled(model: string, installed: readonly InstalledModel[]): ModelsError {
  const names = installed.map(({ name }) => name).join(', ') || 'none'
  return new ModelsError(
    'local-model-unknown',
    `No local model "${model}" is installed (installed: ${names}). Add it: \`tenon models add ${model || 'qwen3-4b'}\`.`,
  )
}

function noModel(): ModelsError {
  const servers = ['ollama', 'lmstudio'].map((id) => localServerById(id)?.title).join(' or ')
  return new ModelsError(
    'no-model',
    [
      'No model can answer. One of these helps:',
      `- a key in the environment: ${PROVIDERS.map(({ keys }) => keys[0]).join(', ')}`,
      `- a server on this machine: start ${servers}, llama.cpp or vLLM`,
      '- a model in this process: tenon models add qwen3-4b',
      `- any endpoint in OpenAI's form: provider ${COMPATIBLE_PROVIDER} with baseUrl in tenon.yaml`,
      '`tenon doctor` shows what was looked for.',
    ].join('\n'),
  )
}

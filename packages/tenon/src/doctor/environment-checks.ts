import type { ErrorRecord } from '@tenon/kernel'
import { type LocalServer, type ModelDecision, PROVIDERS } from '@tenon/models'
import type { Store } from '@tenon/store'
import { spokenBytes } from '../cli/printer/words.js'
import type { Environment } from '../config/interpolate.js'
import type { LoadedConfig } from '../config/load-config.js'
import type { Check } from './check.js'

export function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > 20 || (major === 20 && minor >= 19)
  const text = `${process.version} on ${process.platform} ${process.arch}${fits ? '' : '; Tenon needs 20.19 or newer'}`
  return { state: fits ? 'ok' : 'bad', about: 'node', text }
}

export function configChecks({ read, config }: LoadedConfig): readonly Check[] {
  const about = 'configuration'
  return [
    { state: 'ok', about, text: read.join(', ') || 'none; tenon init writes one' },
    ...Object.entries(config.models ?? {})
      .filter(([, { apiKey }]) => apiKey?.variables.length === 0)
      .map(
        ([name]): Check => ({
          state: 'note',
          about,
          text: `models.${name}.apiKey is written in the file; \${NAME} would take it from the environment`,
        }),
      ),
  ]
}

/** Reading all of a larger store takes longer than people wait. */
const CHECKED_BYTES = 64 * 1024 * 1024

export function storeCheck(store: Store): Check {
  const size = store.size()
  const wrong = size > CHECKED_BYTES ? [] : store.check()
  if (wrong.length > 0) return { state: 'bad', about: 'store', text: `${store.file}: ${wrong.join('; ')}` }
  const left = store.runs.unfinished()
  const parked = left.filter((run) => run.parked).length
  const open = left.length - parked
  return {
    state: 'ok',
    about: 'store',
    text: `${store.file}, ${spokenBytes(size)}; ${parked} parked, ${open} left in the middle${open > 0 ? ' (tenon runs resume)' : ''}`,
  }
}

export function modelChecks(decision: ModelDecision): readonly Check[] {
  const ways = decision.ways.map(({ way, state, text }): Check => {
    const judged = state === 'chosen' ? 'ok' : state === 'refused' ? 'bad' : 'note'
    return { state: judged, about: `model (${way})`, text: `${state}: ${text}` }
  })
  if (decision.error !== undefined) return [...ways, { state: 'bad', about: 'model', text: decision.error.message }]
  return [...ways, { state: 'ok', about: 'model', text: `${decision.choice?.name} answers` }]
}

export function keyCheck(environment: Environment): Check {
  const set = PROVIDERS.flatMap(({ keys }) => keys.filter((name) => environment[name]))
  return { state: 'note', about: 'keys', text: set.length === 0 ? 'none in the environment' : set.join(', ') }
}

export const modelServerChecks = (servers: readonly LocalServer[]): readonly Check[] =>
  servers.map(({ title, baseUrl, models }) => ({
    state: 'note',
    about: 'model server',
    text: `${title} at ${baseUrl}: ${models.map(({ model }) => model).join(', ') || 'no chat model'}`,
  }))

/** Told by the rules of the composition check, each with its reason. */
const TOLD_BY_RULES: readonly string[] = ['mcp-server', 'skill-unavailable']

/** What was left out when the host was put together. */
export const problemChecks = (problems: readonly ErrorRecord[]): readonly Check[] =>
  problems
    .filter(({ code }) => !TOLD_BY_RULES.includes(code))
    .map(({ message }) => ({ state: 'note', about: 'instructions', text: message }))

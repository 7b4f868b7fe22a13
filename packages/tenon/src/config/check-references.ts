import type { Walk } from './check-node.js'
import type { TenonConfig } from './config-table.js'
import { nearestWord } from './nearest-word.js'

/** What the checks need to know of the rest of the host. */
export type KnownNames = {
  readonly tools: readonly string[]
  readonly providers: readonly string[]
  /** Providers whose key is looked up in the environment when none is given. */
  readonly keyed: readonly string[]
}

/** Names that one part of a configuration uses and another part should have. */
export function checkReferences(config: TenonConfig, walk: Walk, known: KnownNames): void {
  const agents = Object.keys(config.agents ?? {})
  const models = Object.keys(config.models ?? {})

  const unknown = (key: string, what: string, name: string, candidates: readonly string[]): void => {
    const near = nearestWord(name, candidates)
    const place = walk.places.get(key) ?? { file: walk.file, line: 1, column: 1 }
    const fix = near === undefined ? listed(candidates) : `Did you mean "${near}"?`
    walk.issues.push({ place, key, problem: `there is no ${what} "${name}"`, fix })
  }

  if (config.agent !== undefined && agents.length > 0 && !agents.includes(config.agent))
    unknown('agent', 'agent', config.agent, agents)
  for (const [name, agent] of Object.entries(config.agents ?? {})) {
    const { model } = agent
    if (model !== undefined && !model.includes('/') && !models.includes(model))
      unknown(`agents.${name}.model`, 'model', model, models)
    // The tools of a server are known when it has been asked.
    for (const [index, tool] of (agent.tools ?? []).entries())
      if (!tool.includes('*') && !tool.includes('__') && !known.tools.includes(tool) && tool !== 'search_tools')
        unknown(`agents.${name}.tools[${index}]`, 'tool', tool, known.tools)
  }
  for (const tool of Object.keys(config.tools?.builtin ?? {}))
    if (!known.tools.includes(tool)) unknown(`tools.builtin.${tool}`, 'built-in tool', tool, known.tools)
  for (const [name, model] of Object.entries(config.models ?? {})) {
    const key = `models.${name}.provider`
    if (!known.providers.includes(model.provider)) unknown(key, 'provider', model.provider, known.providers)
    else if (model.provider === 'openai-compatible' && model.baseUrl === undefined) lacks(key, 'baseUrl')
    else if (model.provider === 'rehearsal' && model.file === undefined) lacks(key, 'file')
    // A configuration that came with somebody's files must not send the user's key to an address of its own.
    else if (model.baseUrl !== undefined && model.apiKey === undefined && known.keyed.includes(model.provider))
      lacks(`models.${name}.baseUrl`, 'apiKey', 'With an address of its own a provider gets no key unless it is named.')
  }

  function lacks(key: string, missing: string, fix?: string): void {
    const place = walk.places.get(key) ?? { file: walk.file, line: 1, column: 1 }
    walk.issues.push({
      place,
      key,
      problem: `this needs "${missing}" beside it`,
      ...(fix === undefined ? {} : { fix }),
    })
  }
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'None is configured.' : `There are: ${names.join(', ')}.`

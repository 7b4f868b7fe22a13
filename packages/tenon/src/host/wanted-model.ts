import { resolve } from 'node:path'
import type { NamedModel } from '@tenon/models'
import type { ModelConfig } from '../config/config-table.js'
import { nearestWord } from '../config/nearest-word.js'
import { HostError } from '../errors.js'
import type { HostOptions } from './host-options.js'
import { REHEARSAL_PROVIDER } from './known-names.js'

/** A model that was asked for by name. */
export type Wanted =
  | { readonly kind: 'named'; readonly model: NamedModel }
  | { readonly kind: 'rehearsal'; readonly file: string; readonly by: string }

type Said =
  | { readonly kind: 'name'; readonly name: string; readonly by: string }
  | { readonly kind: 'rehearsal'; readonly file: string; readonly by: string }

/**
 * What the command line says of the main agent, else what the configuration says. A rehearsal takes the place of a model
 * that the configuration names; where none is named, it waits until none is found either.
 */
function saidOf({ choosing, loaded, cwd }: HostOptions, main: string, agent: string): Said | undefined {
  const { model, rehearsal }: HostOptions['choosing'] = agent === main ? choosing : {}
  if (model !== undefined) return { kind: 'name', name: model, by: '--model' }
  const name = loaded.config.agents?.[agent]?.model
  if (name === undefined) return undefined
  const by = `agents.${agent}.model`
  if (rehearsal === undefined) return { kind: 'name', name, by }
  return { kind: 'rehearsal', file: resolve(cwd, rehearsal), by: `--rehearsal, in place of ${by},` }
}

/** The alias that an agent uses, where it uses one. */
export function aliasFor(options: HostOptions, main: string, agent: string): ModelConfig | undefined {
  const said = saidOf(options, main, agent)
  return said?.kind === 'name' ? options.loaded.config.models?.[said.name] : undefined
}

/** What an agent is to use, where the command line or the configuration says so. @throws HostError `usage` */
export function wantedOf(options: HostOptions, main: string, agent: string): Wanted | undefined {
  const said = saidOf(options, main, agent)
  return said?.kind === 'name' ? wantedFor(options, said.name, said.by) : said
}

/** @param by where the name was written, for people @throws HostError `usage` where the name is mistyped */
export function wantedFor({ loaded }: HostOptions, name: string, by: string): Wanted {
  const alias = loaded.config.models?.[name]
  if (alias === undefined) {
    const near = name.includes('/') ? undefined : nearestWord(name, Object.keys(loaded.config.models ?? {}))
    if (near !== undefined) throw new HostError('usage', `${by}: there is no model "${name}". Did you mean "${near}"?`)
    return { kind: 'named', model: { name, by } }
  }
  const through = `${by} ${name}`
  if (alias.provider === REHEARSAL_PROVIDER) return { kind: 'rehearsal', file: alias.file ?? '', by: through }
  return {
    kind: 'named',
    model: { name: `${alias.provider}/${alias.model ?? ''}`, by: through, settings: settingsOf(alias) },
  }
}

function settingsOf(alias: ModelConfig): NonNullable<NamedModel['settings']> {
  const { baseUrl, apiKey, headers, dialect, contextWindow, prices } = alias
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey: apiKey.reveal() }),
    ...(headers === undefined
      ? {}
      : { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])) }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(prices === undefined ? {} : { prices }),
  }
}

import { resolve } from 'node:path'
import { harmless, isTenonError, type Model, type TenonError } from '@tenon/kernel'
import { chooseModel, type ModelDecision, type ModelProbes, probeModels, prompted, userDataFolder } from '@tenon/models'
import type { ModelConfig } from '../config/config-table.js'
import type { HostOptions } from './host-options.js'
import { modelOfChoice, type OpenModel } from './model-of-choice.js'
import { unavailableModel } from './unavailable-model.js'
import { aliasFor, type Wanted, wantedFor, wantedOf } from './wanted-model.js'

/** Which model answers for which agent. What was opened is closed with it. */
export class AgentModels {
  readonly #decisions = new Map<string, ModelDecision>()
  readonly #open = new Map<string, OpenModel>()

  private constructor(
    readonly options: HostOptions,
    readonly main: string,
    readonly probes: ModelProbes,
  ) {}

  /** Looks at what there is on this machine, once. */
  static async probe(options: HostOptions, main: string, everything = false): Promise<AgentModels> {
    const named = wantedOf(options, main, main)
    const probes = await probeModels({
      env: options.environment,
      dataFolder: userDataFolder(options.environment),
      everything,
      ...(named?.kind === 'named' ? { named: named.model } : {}),
    })
    return new AgentModels(options, main, probes)
  }

  decide(agent: string): ModelDecision {
    const known = this.#decisions.get(agent)
    if (known !== undefined) return known
    const decision = this.#choose(wantedOf(this.options, this.main, agent))
    this.#decisions.set(agent, decision)
    return decision
  }

  /** The model, or what keeps it from answering: a run whose model is gone can still be looked after. */
  open(agent: string): { readonly model: Model; readonly error?: TenonError } {
    return this.#opened(() => this.decide(agent), aliasFor(this.options, this.main, agent))
  }

  /** As `open`, by a name under `models` of the configuration. */
  openAlias(alias: string): { readonly model: Model; readonly error?: TenonError } {
    const config = this.options.loaded.config.models?.[alias]
    return this.#opened(() => this.#choose(wantedFor(this.options, alias, `models.${alias}`)), config)
  }

  #opened(decide: () => ModelDecision, alias: ModelConfig | undefined): ReturnType<AgentModels['open']> {
    try {
      const { choice, error } = decide()
      if (choice === null) return unavailable(error)
      const key = JSON.stringify(choice)
      const open = this.#open.get(key) ?? modelOfChoice(choice, userDataFolder(this.options.environment))
      this.#open.set(key, open)
      const { model } = open
      // Aliases of one model share it, and not the way in which each offers its tools.
      return { model: alias?.prompted === undefined ? model : prompted(model, { dialect: alias.prompted }) }
    } catch (thrown) {
      if (!isTenonError(thrown)) throw thrown
      return unavailable(thrown)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((open) => open.close()))
  }

  #choose(wanted: Wanted | undefined): ModelDecision {
    const { env, servers, installed } = this.probes
    if (wanted?.kind === 'rehearsal')
      return {
        choice: { kind: 'rehearsal', name: 'rehearsal', file: wanted.file },
        ways: [{ way: 'named', state: 'chosen', text: `${wanted.by} names the rehearsal ${wanted.file}` }],
      }
    const { rehearsal } = this.options.choosing
    const played = rehearsal === undefined ? undefined : resolve(this.options.cwd, rehearsal)
    return chooseModel({
      env,
      servers,
      installed,
      ...(wanted === undefined ? {} : { named: wanted.model }),
      ...(played === undefined ? {} : { rehearsal: played }),
    })
  }
}

/** What the model says goes into journals that clients read: without the place of a file on this machine. */
function unavailable(error: TenonError | undefined): { model: Model; error?: TenonError } {
  const message = harmless(
    error?.message ?? 'No model can answer. tenon doctor lists the ways to get one.',
    (text) => text,
  )
  return { model: unavailableModel(message, error?.code), ...(error === undefined ? {} : { error }) }
}

import type { Host } from './host.js'

/** Agents whose limit in money does nothing, as nobody knows what their model costs; in words for a person. */
export function limitsWithoutPrices(host: Host, limits: { readonly money?: number } = {}): readonly string[] {
  const others = Object.entries(host.config.agents ?? {}).flatMap(([name, { limits: own }]) =>
    name !== host.agent.name && own?.money !== undefined ? [name] : [],
  )
  const money = limits.money ?? host.agent.limits.money
  return [...(money === undefined ? [] : [host.agent.name]), ...others]
    .filter((name) => hasNoPrices(host, name))
    .map((name) => {
      const { provider, model } = host.agentNamed(name).model.author
      return `The limit in money of the agent ${name} does nothing: what ${provider}/${model} costs is not known. Write prices at the model under models, or bound tokens.`
    })
}

/** A model answers for the agent, and its turns are counted as free. */
export const hasNoPrices = (host: Host, agent: string): boolean =>
  host.agentNamed(agent).model.prices === undefined && host.modelProblem(agent) === undefined

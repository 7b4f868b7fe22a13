import type { Agent, Model } from '@tenon/kernel'

const MARK = ' under '

/** The name of an agent that asks another model than its own, by the alias of that model, and the other way. */
export const nameUnderModel = (agent: string, alias: string): string => `${agent}${MARK}${alias}`

export function partsUnderModel(name: string): { readonly agent: string; readonly alias: string } | undefined {
  const at = name.lastIndexOf(MARK)
  return at < 1 ? undefined : { agent: name.slice(0, at), alias: name.slice(at + MARK.length) }
}

/** The same agent in all but its model. Its name stands in the run, so a restart asks the same model. */
export const agentUnderModel = (agent: Agent, name: string, model: Model): Agent => ({
  ...agent,
  name,
  model,
  get tools() {
    return agent.tools
  },
})

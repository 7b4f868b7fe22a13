import type { JsonObject, Proposal } from '@tenon/kernel'

/**
 * What kind of counterpart carries a call out, and which one: `mcp files`, `peer research`. A server has a name of its own;
 * which skill, peer or agent it is stands in the arguments. Undefined for a tool that nobody has.
 */
export function callLayer({ origin }: Pick<Proposal, 'origin'>, args: JsonObject): string | undefined {
  if (origin === null) return undefined
  const name = {
    mcp: origin.name,
    skill: args.skill ?? args.name,
    peer: args.peer,
    run: args.agent,
    function: undefined,
  }[origin.kind]
  return typeof name === 'string' ? `${origin.kind} ${name}` : origin.kind
}

import type { Tool } from '@tenon/kernel'

/**
 * What only means something inside a run that a model works in. A plan and a deliverable are of that run, delegations
 * are known to the run that began them, a client asks its own user, and agents are offered as tools of their own: those
 * that are meant to be, and no others by way of one of them.
 */
const OF_A_RUN: ReadonlySet<string> = new Set([
  'todo',
  'ask_user',
  'run_agent',
  'deliver_artifact',
  'check_delegation',
  'answer_delegation',
  'cancel_delegation',
])

/** The tools of an agent that a client may call one at a time, each call a run of its own. */
export const toolsForClients = (tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(({ name, origin }) => origin.kind === 'mcp' || !OF_A_RUN.has(name))

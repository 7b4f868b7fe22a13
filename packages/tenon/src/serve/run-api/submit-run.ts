import { principalOf } from '@tenon/a2a'
import { type Agent, ContextId, type Json, KernelError, type Limits } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { agentNamesFor } from './agents-of-caller.js'
import { beginRun } from './begin-run.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { principalFilter } from './runs-of-caller.js'

type NewRun = {
  readonly goal: string
  readonly agent?: string
  readonly contextId?: string
  readonly limits?: Limits
  readonly deadline?: number
}

export const submitRun = route<{ readonly 'idempotency-key'?: string }, NewRun>({
  name: 'submitRun',
  method: 'POST',
  path: '/runs',
  about: 'Gives a goal to an agent. The run goes on whether or not anybody watches.',
  scope: 'runs:write',
  params: { 'idempotency-key': PARAMS.key },
  body: 'NewRun',
  answers: {
    201: { about: 'The run is in the journal.', schema: 'Began' },
    200: { about: 'It was begun before, by a request with the same key.', schema: 'Began' },
  },
  async answer({ ports: { host }, caller, params, body }) {
    const agent = agentFor(host, caller, body.agent ?? host.agent.name)
    const contextId = body.contextId === undefined ? undefined : contextFor(host, caller, body.contextId)
    const beginning = { caller, key: params['idempotency-key'], request: body as unknown as Json }
    return beginRun(host, beginning, async (runId) =>
      host.engine.submit({
        runId,
        agent: agent.name,
        goal: body.goal,
        limits: lower(agent.limits, body.limits),
        principal: principalOf(caller),
        metadata: host.metadataOf(body.goal),
        ...(contextId === undefined ? {} : { contextId }),
        ...(body.deadline === undefined ? {} : { deadline: body.deadline }),
      }),
    )
  },
})

/** @throws KernelError `agent-unknown`, for an agent that the caller may not use as for none */
function agentFor(host: Host, caller: Caller, name: string): Agent {
  if (agentNamesFor(host, caller).includes(name)) return host.agentNamed(name)
  throw new KernelError(
    'agent-unknown',
    `There is no agent ${JSON.stringify(name)} that you may use. GET /agents lists those there are.`,
  )
}

/** @throws HostError `context-unknown`, for a context that holds only runs of others as for none */
function contextFor({ store }: Host, caller: Caller, id: string): ContextId {
  const contextId = ContextId(id)
  if (store.runs.list({ contextId, ...principalFilter(caller), limit: 1 }).runs.length > 0) return contextId
  throw new HostError(
    'context-unknown',
    `There is no context ${JSON.stringify(id)} that you may use. Leave contextId out for a new one; the answer names it.`,
  )
}

/** A client may ask for less than the agent may use, never for more. */
function lower(own: Limits, wanted: Limits = {}): Limits {
  const names = ['steps', 'calls', 'tokens', 'money', 'wallMs'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const least = Math.min(own[name] ?? Number.POSITIVE_INFINITY, wanted[name] ?? Number.POSITIVE_INFINITY)
      return Number.isFinite(least) ? [[name, least]] : []
    }),
  )
}

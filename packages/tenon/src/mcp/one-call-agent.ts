import {
  type Agent,
  type Command,
  isJsonObject,
  type JsonObject,
  type Planner,
  ROOT_SCOPE,
  type RunState,
} from '@tenon/kernel'

const PREFIX = 'one-call of '

/** The name of an agent that carries out one call of another one's tools, and the other way. */
export const oneCallName = (agent: string): string => PREFIX + agent
export const agentOfOneCall = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined

/** What the run is submitted with. */
export const oneCallMetadata = (tool: string, args: JsonObject): JsonObject => ({ oneCall: { tool, args } })

/**
 * The same agent, for a client that has chosen a tool by itself: one step that the host writes, under the same policy,
 * consent, journal and bounds as any other call. No model is asked.
 */
export function oneCallAgent(agent: Agent): Agent {
  return {
    ...agent,
    name: oneCallName(agent.name),
    planner: ONE_CALL,
    get tools() {
      return agent.tools
    },
  }
}

const ONE_CALL: Planner = { name: 'one-call', version: 1, next }

function next(run: RunState): readonly Command[] {
  const scope = run.scope(ROOT_SCOPE)
  const turn = scope.lastTurn
  if (turn === undefined) return [firstStep(run)]
  if (turn.outcome === 'open') return []
  if (scope.ready.size > 0) return [...scope.ready].map((callId): Command => ({ kind: 'call', callId }))
  if (scope.openCalls > 0) return []
  const [callId] = turn.calls
  if (callId === undefined) return [{ kind: 'fail', code: 'call-unknown', message: 'The call was not taken.' }]
  const { outcome, content, error } = run.call(callId)
  if (outcome === 'finished') return [{ kind: 'finish', blocks: content }]
  const message = error?.message ?? 'The call did not finish.'
  return [{ kind: 'fail', code: error?.code ?? 'call-failed', message, blocks: content }]
}

function firstStep({ submission }: RunState): Command {
  const asked = isJsonObject(submission.metadata) ? submission.metadata.oneCall : undefined
  if (!isJsonObject(asked) || typeof asked.tool !== 'string')
    return { kind: 'reject', message: 'The run does not say which tool to call.' }
  const args = isJsonObject(asked.args) ? asked.args : {}
  return { kind: 'write', scope: ROOT_SCOPE, purpose: 'act', blocks: [{ tool: asked.tool, args }] }
}

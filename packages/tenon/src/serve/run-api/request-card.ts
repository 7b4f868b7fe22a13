import {
  type CallId,
  isJsonObject,
  type Json,
  type JsonObject,
  RequestId,
  type RunEvent,
  type RunEventOf,
  type RunId,
  toolDigest,
} from '@tenon/kernel'
import type { OpenRequest } from '@tenon/store'
import type { Host } from '../../host/host.js'
import { sha256 } from '../../host/sha256.js'
import { inboxId } from './request-id.js'
import { belongsHere } from './runs-of-caller.js'
import { shownEvent } from './shown-event.js'

/** A question with everything that somebody who answers has to see. */
export type RequestCard = JsonObject & { readonly id: string }

/** What an approval is about, as the journal has it: it never changes. */
type Asked = { readonly agent: string; readonly proposed: RunEventOf<'call-proposed'>; readonly runId: RunId }

/** Where the question itself stands, if not with a peer, whose questions are about no call of ours. */
type Place = { readonly runId: RunId; readonly requestId: RequestId }

const KEPT = 2_000

/** Makes cards of open requests. What it reads of a journal for one it keeps, so that an inbox costs it once. */
export class RequestCards {
  readonly #asked = new Map<string, Asked>()

  constructor(readonly host: Host) {}

  /** A question that a sub-run asks and its parent passes on stands once: where the parent asks it. */
  of(open: readonly OpenRequest[]): readonly RequestCard[] {
    const passedOn = new Set(
      open.flatMap(({ request: { via } }) => (via?.runId === undefined ? [] : [`${via.runId} ${via.requestId}`])),
    )
    const shown = open.filter((one) => !passedOn.has(keyOf({ runId: one.runId, requestId: one.request.requestId })))
    this.#read(shown.flatMap((one) => placeOf(one) ?? []))
    return shown.map((one) => this.#card(one))
  }

  #card(open: OpenRequest): RequestCard {
    const { runId, agent, goal, askedAt, request } = open
    const { requestId, kind, prompt, reason, schema, via, expiresAt } = request
    const place = placeOf(open)
    const asked = place && this.#asked.get(keyOf(place))
    return {
      id: inboxId(runId, requestId),
      runId,
      requestId,
      agent,
      goal,
      kind,
      prompt,
      askedAt,
      ...(reason === undefined ? {} : { reason }),
      ...(schema === undefined ? {} : { schema }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(via === undefined ? {} : { via: { ...via } }),
      ...(asked === undefined ? {} : this.#call(asked)),
    }
  }

  /** Looks up what is not known yet, each journal once. */
  #read(places: readonly Place[]): void {
    const missing = places.filter((place) => !this.#asked.has(keyOf(place)))
    const wanted = new Set(missing.map(keyOf))
    for (const runId of new Set(missing.map((place) => place.runId)))
      for (const [requestId, asked] of proposalsOf(this.host.store.journal.load(runId), runId)) {
        const key = keyOf({ runId, requestId })
        if (wanted.has(key)) this.#asked.set(key, asked)
      }
    for (const oldest of this.#asked.keys()) if (this.#asked.size > KEPT) this.#asked.delete(oldest)
  }

  #call({ agent, proposed, runId }: Asked): JsonObject {
    const { callId, tool, effect, origin, toolDigest: digest, provenance } = proposed.call
    const shown = shownEvent(runId, proposed).call
    const args: Json = (isJsonObject(shown) ? shown.args : undefined) ?? {}
    const run = this.host.store.runs.get(runId)
    const here = run !== undefined && belongsHere(this.host, run) ? this.#agent(agent) : undefined
    const definition = here?.tools.find(({ name }) => name === tool)
    return {
      call: {
        callId,
        tool,
        args,
        effect,
        origin,
        toolDigest: digest,
        definitionChanged: definition === undefined ? null : toolDigest(definition, sha256) !== digest,
        provenance: { ...provenance },
      },
      ...(here === undefined ? {} : { rememberAtMost: here.policy.rememberAtMost ?? 'always' }),
    }
  }

  #agent(name: string) {
    try {
      return this.host.agentNamed(name)
    } catch {
      return undefined
    }
  }
}

const keyOf = ({ runId, requestId }: Place): string => `${runId} ${requestId}`

function placeOf({ runId, request: { kind, requestId, via } }: OpenRequest): Place | undefined {
  if (kind !== 'approval') return undefined
  if (via === undefined) return { runId, requestId }
  if (via.runId === undefined || via.requestId === undefined) return undefined
  return { runId: via.runId, requestId: RequestId(via.requestId) }
}

/** The call of every question that the run has asked. */
function* proposalsOf(events: readonly RunEvent[], runId: RunId): Generator<readonly [RequestId, Asked]> {
  let agent = ''
  const proposed = new Map<CallId, RunEventOf<'call-proposed'>>()
  for (const event of events) {
    if (event.kind === 'run-submitted') agent = event.agent
    else if (event.kind === 'call-proposed') proposed.set(event.call.callId, event)
    else if (event.kind === 'input-requested') {
      const found = proposed.get(event.request.callId)
      if (found !== undefined) yield [event.request.requestId, { agent, proposed: found, runId }]
    }
  }
}

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
import type { Host } from '../../host/open-host.js'
import { sha256 } from '../../host/sha256.js'
import { shownEvent } from './event-page.js'
import { inboxId } from './request-id.js'

/** A question with everything that somebody who answers has to see. */
export type RequestCard = JsonObject & { readonly id: string }

/** What an approval is about, as the journal has it: it never changes. */
type Asked = { readonly agent: string; readonly proposed: RunEventOf<'call-proposed'>; readonly runId: RunId }

const KEPT = 1_000

/** Makes cards of open requests. What it reads of a journal for one it keeps, so that an inbox costs it once. */
export class RequestCards {
  readonly #asked = new Map<string, Asked | undefined>()

  constructor(readonly host: Host) {}

  /** A question that a sub-run asks and its parent passes on stands once: where the parent asks it. */
  of(open: readonly OpenRequest[]): readonly RequestCard[] {
    const passedOn = new Set(
      open.flatMap(({ request: { via } }) => (via?.runId === undefined ? [] : [`${via.runId} ${via.requestId}`])),
    )
    return open
      .filter(({ runId, request }) => !passedOn.has(`${runId} ${request.requestId}`))
      .map((request) => this.#card(request))
  }

  #card({ runId, agent, goal, askedAt, request }: OpenRequest): RequestCard {
    const { requestId, kind, prompt, reason, schema, via, expiresAt } = request
    const asked = kind === 'approval' ? this.#askedFor(runId, requestId, via) : undefined
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

  #askedFor(runId: RunId, requestId: RequestId, via: OpenRequest['request']['via']): Asked | undefined {
    // A peer's question is not about a call of ours.
    const place = via === undefined ? { runId, requestId } : via
    if (place.runId === undefined || place.requestId === undefined) return undefined
    const key = `${place.runId} ${place.requestId}`
    if (this.#asked.has(key)) return this.#asked.get(key)
    const found = proposalFor(this.host.store.journal.load(place.runId), place.runId, RequestId(place.requestId))
    this.#asked.set(key, found)
    if (this.#asked.size > KEPT) for (const oldest of this.#asked.keys()) if (this.#asked.delete(oldest)) break
    return found
  }

  #call({ agent, proposed, runId }: Asked): JsonObject {
    const { callId, tool, effect, origin, toolDigest: digest, provenance } = proposed.call
    const shown = shownEvent(runId, proposed).call
    const args: Json = (isJsonObject(shown) ? shown.args : undefined) ?? {}
    const here = this.#agent(agent)
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

function proposalFor(events: readonly RunEvent[], runId: RunId, requestId: RequestId): Asked | undefined {
  let agent = ''
  const proposed = new Map<CallId, RunEventOf<'call-proposed'>>()
  for (const event of events) {
    if (event.kind === 'run-submitted') agent = event.agent
    else if (event.kind === 'call-proposed') proposed.set(event.call.callId, event)
    else if (event.kind === 'input-requested' && event.request.requestId === requestId) {
      const found = proposed.get(event.request.callId)
      return found && { agent, proposed: found, runId }
    }
  }
  return undefined
}

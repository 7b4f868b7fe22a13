import { isJsonObject, type RequestId, type RunEvent } from '@tenon/kernel'

/** How it was decided that a call may run, or may not: by the policy, or by whom. */
export type CallConsent = {
  readonly decision: 'allowed' | 'approved' | 'denied' | 'asked'
  /** Who answered; absent where the policy or a consent given earlier decided. */
  readonly by?: string
}

/** The consent of each call, by its id. A call that never came so far has none. */
export function callConsents(events: readonly RunEvent[]): ReadonlyMap<string, CallConsent> {
  const consents = new Map<string, CallConsent>()
  const asked = new Map<RequestId, string>()
  for (const event of events) {
    switch (event.kind) {
      case 'input-requested':
        if (event.request.kind !== 'approval' || event.request.via !== undefined) break
        asked.set(event.request.requestId, event.request.callId)
        consents.set(event.request.callId, { decision: 'asked' })
        break
      case 'input-answered': {
        const callId = asked.get(event.requestId)
        if (callId === undefined || !isJsonObject(event.answer)) break
        const decision = event.answer.kind === 'approve' ? 'approved' : 'denied'
        consents.set(callId, { decision, ...(event.by === undefined ? {} : { by: event.by }) })
        break
      }
      case 'call-begun':
        if (consents.get(event.callId)?.decision !== 'approved') consents.set(event.callId, { decision: 'allowed' })
        break
      case 'call-settled':
        if (event.outcome === 'denied' && !consents.has(event.callId))
          consents.set(event.callId, { decision: 'denied' })
    }
  }
  return consents
}

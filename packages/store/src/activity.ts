import type { CallId, RequestId, RunEvent, RunStateName, TurnId } from '@tenon/kernel'

/** The broker's own requests: their answer goes to the call, not to a hand. */
const CONSENT = 'consent'

type OpenCall = { waitingFor: number; answered: boolean }

/**
 * The least of a run's fold that tells whether it waits only for people: the state that the list shows is the one
 * that the kernel's fold has at the same event.
 */
export class Activity {
  readonly #openTurns = new Set<TurnId>()
  readonly #openCalls = new Map<CallId, OpenCall>()
  readonly #openInputs = new Map<
    RequestId,
    { readonly callId: CallId; readonly isAuth: boolean; readonly key: string }
  >()
  #turns = 0
  #ended: RunStateName | undefined

  static of(events: Iterable<RunEvent>): Activity {
    const activity = new Activity()
    for (const event of events) activity.apply(event)
    return activity
  }

  get state(): RunStateName {
    if (this.#ended !== undefined) return this.#ended
    if (this.#openInputs.size > 0 && this.#isIdle()) {
      for (const input of this.#openInputs.values()) if (!input.isAuth) return 'input-required'
      return 'auth-required'
    }
    return this.#turns === 0 ? 'submitted' : 'working'
  }

  apply(event: RunEvent): void {
    switch (event.kind) {
      case 'turn-began':
        this.#turns++
        this.#openTurns.add(event.turnId)
        return
      case 'turn-ended':
        this.#openTurns.delete(event.turnId)
        return
      case 'call-proposed':
        this.#openCalls.set(event.call.callId, { waitingFor: 0, answered: false })
        return
      case 'call-begun': {
        const call = this.#openCalls.get(event.callId)
        if (call) call.answered = false
        return
      }
      case 'call-settled':
        this.#openCalls.delete(event.callId)
        return
      case 'input-requested': {
        const { requestId, callId, kind, key } = event.request
        this.#openInputs.set(requestId, { callId, isAuth: kind === 'auth', key })
        const call = this.#openCalls.get(callId)
        if (call) call.waitingFor++
        return
      }
      case 'input-answered': {
        const input = this.#openInputs.get(event.requestId)
        if (!input) return
        this.#openInputs.delete(event.requestId)
        const call = this.#openCalls.get(input.callId)
        if (!call) return
        call.waitingFor--
        if (event.how !== 'withdrawn' && input.key !== CONSENT) call.answered = true
        return
      }
      case 'run-ended':
        this.#ended = event.state
        return
      default:
    }
  }

  #isIdle(): boolean {
    if (this.#openTurns.size > 0) return false
    for (const call of this.#openCalls.values()) if (call.waitingFor === 0 || call.answered) return false
    return true
  }
}

import type { InputRequest, RequestId, RunEvent, RunEventOf } from '@tenon/kernel'

/** What an append adds to a run's line in the list. */
export type ListChange = {
  /** Turns that ended: their beginning changes nothing but, once, the state. */
  turns: number
  /** All tokens of turns, cached ones included. */
  tokens: number
  /** US dollars. */
  cost: number
  readonly asked: InputRequest[]
  readonly answered: RequestId[]
  ended: RunEventOf<'run-ended'> | undefined
}

/** Undefined where there is nothing of that. */
export function listChange(events: readonly RunEvent[]): ListChange | undefined {
  let change: ListChange | undefined
  for (const event of events) {
    switch (event.kind) {
      case 'turn-ended': {
        change ??= noChange()
        change.turns++
        const { usage, cost } = event
        if (usage) change.tokens += usage.input + usage.cachedInput + usage.cacheWrite + usage.output
        change.cost += cost ?? 0
        break
      }
      case 'call-settled':
        if (!event.cost && !event.spent) continue
        change ??= noChange()
        change.cost += (event.cost ?? 0) + (event.spent?.money ?? 0)
        change.tokens += event.spent?.tokens ?? 0
        break
      case 'input-requested':
        change ??= noChange()
        change.asked.push(event.request)
        break
      case 'input-answered':
        change ??= noChange()
        change.answered.push(event.requestId)
        break
      case 'run-ended':
        change ??= noChange()
        change.ended = event
        break
      default:
        continue
    }
  }
  return change
}

const noChange = (): ListChange => ({
  turns: 0,
  tokens: 0,
  cost: 0,
  asked: [],
  answered: [],
  ended: undefined,
})

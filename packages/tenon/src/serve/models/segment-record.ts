import { type RunEvent, RunState } from '@tenon/kernel'

/** What the journal holds of the part of a run that is one response. */
export type SegmentRecord = {
  readonly events: readonly RunEvent[]
  /** The run as it was at the end of the part. */
  readonly run: RunState
  /** The run went on after it: this part does not change any more. */
  readonly isPast: boolean
}

/** The events of a run after `after`, to where it ended or began to wait for an answer. */
export function segmentRecord(events: readonly RunEvent[], after: number): SegmentRecord {
  const run = RunState.of(events.slice(0, after))
  // Answers that were given together belong together.
  let at = after
  while (events[at]?.kind === 'input-answered') at++
  for (const event of events.slice(after)) {
    run.apply(event)
    const next = events[event.seq]
    const waited = event.seq > at && run.inputs.size > 0 && run.idle
    if (waited && next !== undefined && FROM_OUTSIDE.has(next.kind))
      return { events: events.slice(after, event.seq), run, isPast: true }
  }
  return { events: events.slice(after), run, isPast: false }
}

/** What moves a run that waits. */
const FROM_OUTSIDE: ReadonlySet<RunEvent['kind']> = new Set(['input-answered', 'message-received', 'cancel-requested'])

import type { Engine, Journal, RunId } from '@tenon/kernel'
import type { KeptBytes } from '../mapping/part-blocks.js'
import { TaskFold } from '../mapping/task-fold.js'
import type { WireEvent } from '../mapping/wire-types.js'

/** An event of a task with its place: part `part` of what journal event `seq` is for the caller. */
export type PlacedEvent = { readonly seq: number; readonly part: number; readonly event: WireEvent }

export type TaskSource = { readonly engine: Engine; readonly journal: Journal; readonly kept: KeptBytes }

/** The task as the journal has it. */
export async function loadFold(source: TaskSource, runId: RunId): Promise<TaskFold> {
  return TaskFold.of(runId, await source.journal.load(runId), source.kept)
}

/**
 * What happens to the task from where `fold` stands on, whichever process drives it; ends after its terminal event.
 * The fold moves along: after each item it is the task as it was then.
 */
export async function* taskEvents(
  source: TaskSource,
  fold: TaskFold,
  signal: AbortSignal,
): AsyncGenerator<PlacedEvent> {
  if (fold.ended) return
  for await (const item of source.engine.follow(fold.runId, { after: fold.seq, signal })) {
    if (item.kind !== 'event' || item.event.seq <= fold.seq) continue
    const { seq } = item.event
    let part = 0
    for (const event of fold.apply(item.event)) yield { seq, part: part++, event }
    if (fold.ended) return
  }
}

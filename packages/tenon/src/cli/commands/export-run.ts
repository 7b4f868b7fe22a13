import { eventLine } from '../event-line.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { resolveRun } from '../resolve-run.js'
import { runMarkdown } from '../run-markdown.js'

export type ExportRunOptions = CommonOptions & { readonly as: 'ndjson' | 'markdown' }

/** `tenon runs export` */
export async function exportRun(io: Io, written: string, options: ExportRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const { runId } = resolveRun(store, written)
    const events = await store.journal.load(runId)
    if (options.as === 'markdown') io.stdout.write(runMarkdown(runId, events))
    else for (const event of events) io.stdout.write(eventLine(runId, event))
    return EXIT.completed
  } finally {
    store.close()
  }
}

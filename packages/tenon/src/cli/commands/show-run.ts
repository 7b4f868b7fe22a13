import { type RunEvent, type RunId, RunState } from '@tenon/kernel'
import { turnView } from '../../host/turn-view.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, styleOf } from '../io.js'
import { openRuns } from '../open-runs.js'
import { narrate } from '../printer/narrate.js'
import { Printer } from '../printer/printer.js'
import { safeText } from '../printer/safe-text.js'
import { resolveRun } from '../resolve-run.js'
import { runReport } from '../run-report.js'
import { viewLines } from '../view-lines.js'

export type ShowRunOptions = CommonOptions & {
  readonly view?: string
  readonly full?: boolean
  /** Only what each step was, took and cost. */
  readonly steps?: boolean
  readonly json?: boolean
}

/** `tenon runs show` */
export async function showRun(io: Io, written: string, options: ShowRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const { runId } = resolveRun(store, written)
    const events = await store.journal.load(runId)
    if (options.view !== undefined) {
      const view = turnView(events, options.view)
      if (options.json) io.stdout.write(`${JSON.stringify(view)}\n`)
      else for (const line of viewLines(view, options.full === true)) io.stdout.write(`${safeText(line)}\n`)
    } else if (options.json) io.stdout.write(`${JSON.stringify(runReport(runId, events))}\n`)
    else {
      if (options.steps !== true) showTimeline(io, runId, events, options.plain === true)
      for (const line of runReport(runId, events).lines) io.stdout.write(`${safeText(line)}\n`)
    }
    return EXIT.completed
  } finally {
    store.close()
  }
}

function showTimeline(io: Io, runId: RunId, events: readonly RunEvent[], plain: boolean): void {
  const style = styleOf(io, io.stdout, plain)
  const printer = new Printer({ style, write: (text) => void io.stdout.write(text) })
  const run = new RunState()
  for (const event of events) {
    run.apply(event)
    if (event.kind !== 'run-ended')
      printer.print(narrate(run, { kind: 'event', runId, event }, { width: style.width, name: runId }))
    else
      printer.print(
        narrate(run, { kind: 'event', runId, event }, { width: style.width, name: runId }).filter(
          ({ kind }) => kind !== 'end',
        ),
      )
  }
  printer.close()
  io.stdout.write('\n')
}

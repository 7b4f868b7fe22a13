import type { RunStateName } from '@tenon/kernel'
import type { RunSummary } from '@tenon/store'
import { HostError } from '../../errors.js'
import { RUN_STATES } from '../../host/run-states.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, styleOf } from '../io.js'
import { openRuns } from '../open-runs.js'
import { fit } from '../printer/columns.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'
import { spokenCount, spokenMoney, spokenTime } from '../printer/words.js'

export type ListRunsOptions = CommonOptions & {
  readonly state?: readonly string[]
  readonly agent?: string
  readonly limit: number
  readonly all?: boolean
  readonly open?: boolean
  readonly json?: boolean
}

/** `tenon runs list` */
export async function listRuns(io: Io, options: ListRunsOptions): Promise<number> {
  const state = options.state?.flatMap((names) => names.split(',')).map(stateName)
  const { store } = openRuns(io, options)
  try {
    if (options.open) return listOpen(io, options, store.runs.openInputs({ limit: options.limit }))
    const { runs } = store.runs.list({
      limit: options.limit,
      ...(state === undefined ? {} : { state }),
      ...(options.all || state !== undefined ? {} : { parent: null }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
    })
    if (options.json) for (const run of runs) io.stdout.write(`${JSON.stringify(run)}\n`)
    else if (runs.length === 0) io.stderr.write('No runs. Start one: tenon run "…"\n')
    else io.stdout.write(table(runs.map((run) => row(run, goalWidth(io, options)))))
    return EXIT.completed
  } finally {
    store.close()
  }
}

const goalWidth = (io: Io, options: CommonOptions): number =>
  Math.max(20, styleOf(io, io.stdout, options.plain === true).width - 88)

function row(run: RunSummary, width: number): string[] {
  return [
    run.runId,
    run.openInputs > 0 ? `${run.state} (${run.openInputs})` : run.state,
    `${spokenTime(Math.max(0, Date.now() - run.createdAt))} ago`,
    `${spokenCount(run.tokens)} tok`,
    run.cost > 0 ? spokenMoney(run.cost) : '',
    fit(safeText(run.goal), width),
  ]
}

type Open = ReturnType<ReturnType<typeof openRuns>['store']['runs']['openInputs']>

function listOpen(io: Io, options: ListRunsOptions, open: Open): number {
  if (options.json) for (const one of open) io.stdout.write(`${JSON.stringify(one)}\n`)
  else if (open.length === 0) io.stderr.write('No run waits for an answer.\n')
  else
    io.stdout.write(
      table(
        open.map(({ runId, request, askedAt }) => [
          runId,
          request.requestId,
          request.kind,
          `${spokenTime(Math.max(0, Date.now() - askedAt))} ago`,
          fit(safeText(request.prompt).replace(/\s+/g, ' '), goalWidth(io, options)),
        ]),
      ),
    )
  return EXIT.completed
}

function stateName(written: string): RunStateName {
  const state = RUN_STATES.find((name) => name === written)
  if (state === undefined)
    throw new HostError('usage', `There is no state "${written}". There are: ${RUN_STATES.join(', ')}.`)
  return state
}

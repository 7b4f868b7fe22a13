import type { Limits } from '@tenon/kernel'
import type { PlannerName } from '../../config/planner-names.js'
import { HostError } from '../../errors.js'
import { openHost } from '../../host/open-host.js'
import { type DriveOptions, driveRun } from '../drive-run.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { serverLog } from '../printer/server-log.js'
import { readAll } from '../read-all.js'
import { tellStart } from '../tell-start.js'
import { whileWaiting } from '../while-waiting.js'

export type ChoosingOptions = {
  readonly agent?: string
  readonly model?: string
  readonly rehearsal?: string
  readonly workspace?: string
  readonly planner?: PlannerName
}

/** For what stays at a terminal while it works. */
export type VerboseOptions = { readonly verbose?: boolean }

export type RunGoalOptions = CommonOptions &
  ChoosingOptions &
  VerboseOptions &
  DriveOptions & { readonly steps?: number; readonly tokens?: number; readonly money?: number; readonly wall?: number }

/** `tenon run` */
export async function runGoal(io: Io, words: readonly string[], options: RunGoalOptions): Promise<number> {
  const goal = words.length === 1 && words[0] === '-' ? await readAll(io.stdin) : words.join(' ')
  if (goal.trim() === '') throw new HostError('usage', 'The goal is empty. Say what is wanted: tenon run "…"')
  const runs = openRuns(io, options)
  const opening = openHost({
    ...runs,
    environment: io.environment,
    cwd: io.cwd,
    choosing: options,
    ...(options.verbose ? { onServerLog: serverLog(io) } : {}),
  })
  const host = await whileWaiting(io, options, 'starting up', opening)
  try {
    const { agent, engine } = host
    host.requireModel()
    tellStart(host, io, options)
    const metadata = await host.prepare(goal)
    const runId = await engine.submit({ agent: agent.name, goal, limits: limitsOf(options), metadata })
    return await driveRun(engine, runId, io, options, {
      contextWindow: agent.model.contextWindow,
      inbox: host.store.inbox,
    })
  } finally {
    await host.close()
  }
}

function limitsOf({ steps, tokens, money, wall }: RunGoalOptions): Limits {
  return {
    ...(steps === undefined ? {} : { steps }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(money === undefined ? {} : { money }),
    ...(wall === undefined ? {} : { wallMs: wall }),
  }
}

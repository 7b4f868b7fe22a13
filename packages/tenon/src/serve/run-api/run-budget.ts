import { type RunEventOf, RunState } from '@tenon/kernel'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'

export const runBudget = route<{ readonly run: string }>({
  name: 'getBudget',
  method: 'GET',
  path: '/runs/{run}/budget',
  about: 'What a run may use, what it has used, and what is set aside.',
  scope: 'runs:read',
  params: { run: PARAMS.run },
  answers: { 200: { about: 'The budget.', schema: 'Budget' } },
  answer({ ports: { host }, caller, params }) {
    const { runId } = runOfCaller(host, caller, params.run)
    const events = host.store.journal.load(runId)
    const run = RunState.of(events)
    const { totals, submission } = run
    const { calls, tokens, cost, activeMs, waitedMs, delegated, reserved } = totals
    const { input, cachedInput, cacheWrite, output, reasoning } = totals
    const last = events.findLast((event): event is RunEventOf<'turn-began'> => event.kind === 'turn-began')
    return {
      status: 200,
      body: {
        runId,
        limits: submission.limits,
        used: { steps: run.turnCount, calls, tokens, money: cost, wallMs: activeMs },
        delegated,
        reserved,
        tokens: { input, cachedInput, cacheWrite, output, reasoning },
        waitedMs,
        ...(last === undefined
          ? {}
          : { window: { turnId: last.turnId, tokens: last.view.tokens, size: last.view.window } }),
      },
    }
  },
})

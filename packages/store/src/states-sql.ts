import type { RunStateName, TerminalState } from '@tenon/kernel'

const OPEN: Readonly<Record<Exclude<RunStateName, TerminalState>, true>> = {
  submitted: true,
  working: true,
  'input-required': true,
  'auth-required': true,
}

const ENDED: Readonly<Record<TerminalState, true>> = { completed: true, failed: true, canceled: true, rejected: true }

const listed = (states: object): string =>
  `(${Object.keys(states)
    .map((state) => `'${state}'`)
    .join(', ')})`

/** The states of runs that have not ended, for `state IN`: an index by state needs no second one for these. */
export const openStatesSql = listed(OPEN)

/** All states, for `state IN` where an index has the state before what else is looked for. */
export const allStatesSql = listed({ ...OPEN, ...ENDED })

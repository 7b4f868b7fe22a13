import type { RunStateName } from '@tenon/kernel'
import type { WireState } from './wire-types.js'

const WIRE: Readonly<Record<RunStateName, WireState>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
}

const RUN = new Map<string, RunStateName>(Object.entries(WIRE).map(([run, wire]) => [wire, run as RunStateName]))

export const wireState = (state: RunStateName): WireState => WIRE[state]

/** Undefined for a name that the specification does not have. */
export const runState = (state: string): RunStateName | undefined => RUN.get(state)

/** Terminal states never change. */
export const isTerminal = (state: WireState): boolean =>
  state === 'TASK_STATE_COMPLETED' ||
  state === 'TASK_STATE_FAILED' ||
  state === 'TASK_STATE_CANCELED' ||
  state === 'TASK_STATE_REJECTED'

/** The task waits for its caller, or for what the caller brings. */
export const isInterrupted = (state: WireState): boolean =>
  state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED'

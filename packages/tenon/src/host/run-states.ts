import type { RunStateName } from '@tenon/kernel'

/** Every state of a run, in the order of its life. */
export const RUN_STATES: readonly RunStateName[] = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
]

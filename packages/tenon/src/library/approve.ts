import type { ApprovalAnswer, CallState, InputRequest } from '@tenon/kernel'

/** Decides on a consent in this process. `true` and `false` stand for this once; undefined leaves it open. */
export type Approve = (
  request: InputRequest,
  call: CallState | undefined,
) => ApprovalAnswer | boolean | undefined | Promise<ApprovalAnswer | boolean | undefined>

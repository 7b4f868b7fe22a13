import { type ErrorRecord, type RunId, type RunStateName, TenonError } from '@tenon/kernel'

/** A run that did not complete. `code` says why: that of the run's own error, `run-canceled`, `run-rejected` or `input-required`. */
export class RunError extends TenonError {
  override readonly name = 'RunError'

  constructor(
    error: ErrorRecord,
    readonly runId: RunId,
    readonly state: RunStateName,
  ) {
    super(
      error.code,
      error.message,
      { retryable: error.retryable, modelVisible: false, userVisible: true },
      error.detail === undefined ? {} : { detail: error.detail },
    )
  }
}

import type { ErrorOptions, ErrorTable } from './error-table.js'
import { TenonError } from './error-table.js'

const internal = { retryable: false, modelVisible: false, userVisible: true } as const
const told = { retryable: false, modelVisible: true, userVisible: true } as const

/** Every error of the kernel. Codes are stable. */
export const KERNEL_ERRORS = {
  /** A history with an orphan call or an orphan result was about to be made. */
  'history-orphan': internal,
  /** Another driver has written to this run; this one stops. */
  'journal-conflict': { retryable: true, modelVisible: false, userVisible: true },
  /** No run with this id in the journal. */
  'run-unknown': internal,
  /** The run has ended; its state does not change any more. */
  'run-ended': internal,
  /** The journal holds something that this version cannot fold. */
  'journal-unreadable': internal,
  /** The run names an agent that this process does not have. */
  'agent-unknown': internal,
  /** The request was answered already, or was never asked. */
  'request-unknown': internal,
  /** The answer does not have the shape that was asked for. */
  'answer-invalid': internal,
  /** Nothing is in flight, nothing is asked, and the planner wants nothing. */
  'planner-stuck': internal,
  /** A planner gave a command that makes no sense in this state. */
  'planner-invalid': internal,
  /** A limit of the run was reached: steps, calls, tokens, money or wall time. */
  'limit-reached': internal,
  'deadline-passed': internal,
  /** The model kept failing. */
  'model-failed': internal,
  /** The model kept answering with nothing. */
  'model-empty': internal,
  /** The model stream made no progress for too long. */
  'model-stalled': { retryable: true, modelVisible: false, userVisible: true },
  /** The final answer never had the shape that was asked for. */
  'output-invalid': internal,
  'tool-unknown': told,
  'tool-name-ambiguous': told,
  'arguments-invalid': told,
  /** A reference in the arguments leads nowhere. */
  'reference-dead': told,
  'call-denied': told,
  'call-in-doubt': told,
  'call-canceled': told,
  'call-skipped': told,
  'call-timeout': told,
  'tool-failed': told,
  /** A hand ended without a result or a question. */
  'hand-silent': told,
  /** A definition cannot be offered to a model. */
  'tool-invalid': internal,
  'policy-invalid': internal,
  /** The run was refused before any work. */
  'run-rejected': internal,
  /** No run can begin there: the other one does not reach that event, or had ended by then. */
  'fork-invalid': internal,
  'artifact-unknown': told,
} as const satisfies ErrorTable

export type KernelErrorCode = keyof typeof KERNEL_ERRORS

export class KernelError extends TenonError {
  constructor(code: KernelErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, KERNEL_ERRORS[code], options)
  }
}

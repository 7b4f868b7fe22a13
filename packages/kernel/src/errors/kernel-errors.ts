import type { ErrorOptions, ErrorTable } from './error-table.js'
import { TenonError } from './error-table.js'

const internal = { retryable: false, modelVisible: false, userVisible: true } as const
const told = { retryable: false, modelVisible: true, userVisible: true } as const
const usage = { ...internal, usage: true } as const

/** Every error of the kernel. Codes are stable. */
export const KERNEL_ERRORS = {
  /**
   * A history with an orphan call or an orphan result was about to be made.
   * @remedy Report it: history is built by us alone.
   */
  'history-orphan': internal,
  /**
   * Another driver has written to this run; this one stops.
   * @remedy Nothing; the other driver goes on. tenon runs follow shows it.
   */
  'journal-conflict': { retryable: true, modelVisible: false, userVisible: true },
  /** No run with this id in the journal. @remedy tenon runs list shows which there are. */
  'run-unknown': usage,
  /** The run has ended; its state does not change any more. @remedy Begin another run, or fork this one. */
  'run-ended': internal,
  /**
   * The journal holds something that this version cannot fold.
   * @remedy Use the version that wrote it, or a newer one.
   */
  'journal-unreadable': internal,
  /**
   * The run names an agent that this process does not have.
   * @remedy Put the agent back into tenon.yaml, or start from the folder that has it.
   */
  'agent-unknown': usage,
  /** The request was answered already, or was never asked. @remedy tenon runs list --open shows what is asked. */
  'request-unknown': usage,
  /** The answer does not have the shape that was asked for. @remedy Answer in the shape that the message names. */
  'answer-invalid': usage,
  /**
   * Nothing is in flight, nothing is asked, and the planner wants nothing.
   * @remedy Mend the planner: it has to end the run or want something.
   */
  'planner-stuck': internal,
  /**
   * A planner gave a command that makes no sense in this state.
   * @remedy Mend the planner; the message names the command.
   */
  'planner-invalid': internal,
  /**
   * A limit of the run was reached: steps, calls, tokens, money or wall time.
   * @remedy Raise the limit under agents.NAME.limits, or ask for less.
   */
  'limit-reached': internal,
  /** The time that the run had is over. @remedy Give it more time, or ask for less. */
  'deadline-passed': internal,
  /** The model kept failing. @remedy tenon doctor says which model answers; another may do better. */
  'model-failed': internal,
  /** The model kept answering with nothing. @remedy Take another model, or raise settings.maxOutputTokens. */
  'model-empty': internal,
  /** The model declined to answer. @remedy Ask otherwise, or take another model. */
  'model-refused': internal,
  /** The answer was longer than the model may write. @remedy Raise settings.maxOutputTokens, or ask for less at once. */
  'answer-cut': internal,
  /** The model stream made no progress for too long. @remedy Try again; tenon runs resume goes on where it was. */
  'model-stalled': { retryable: true, modelVisible: false, userVisible: true },
  /**
   * The final answer never had the shape that was asked for.
   * @remedy Make the schema simpler, or take a model that keeps to it.
   */
  'output-invalid': internal,
  /** The model called a tool that there is not. @remedy Nothing; the model is told which there are. */
  'tool-unknown': told,
  /** A name fits several tools. @remedy Nothing; the model is told which. */
  'tool-name-ambiguous': told,
  /** Arguments do not fit the schema of the tool. @remedy Nothing; the model is told where and why. */
  'arguments-invalid': told,
  /** A reference in the arguments leads nowhere. @remedy Nothing; the model is told which. */
  'reference-dead': told,
  /** Policy or a person said no. @remedy Change the policy if it was not meant. */
  'call-denied': told,
  /**
   * A call with an effect was cut off: it may have happened.
   * @remedy Look whether it happened before it is asked for again.
   */
  'call-in-doubt': told,
  /** The call was canceled before it ended. @remedy Nothing. */
  'call-canceled': told,
  /** The call was not started because one that it needs failed. @remedy Look at that one. */
  'call-skipped': told,
  /** The tool took longer than it may. @remedy Give it more time, or ask for less at once. */
  'call-timeout': told,
  /** A tool threw an error. @remedy The message is that of the tool. */
  'tool-failed': told,
  /** A hand ended without a result or a question. @remedy Mend the tool: it has to return a result or ask. */
  'hand-silent': told,
  /** A definition cannot be offered to a model. @remedy Mend the definition; the message names the fault. */
  'tool-invalid': internal,
  /** A rule of the policy cannot be read. @remedy Mend the rule; the message names it. */
  'policy-invalid': usage,
  /** The run was refused before any work. @remedy The message says why. */
  'run-rejected': internal,
  /**
   * No run can begin there: the other one does not reach that event, or had ended by then.
   * @remedy Name an event that tenon runs show lists, of a run that goes on from there.
   */
  'fork-invalid': usage,
  /** There is no artifact of that handle. @remedy Take a handle that the view shows. */
  'artifact-unknown': told,
} as const satisfies ErrorTable

export type KernelErrorCode = keyof typeof KERNEL_ERRORS

export class KernelError extends TenonError {
  constructor(code: KernelErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, KERNEL_ERRORS[code], options)
  }
}

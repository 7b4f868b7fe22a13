import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const fixable = { retryable: false, modelVisible: false, userVisible: true } as const
const usage = { ...fixable, usage: true } as const
const passing = { retryable: true, modelVisible: false, userVisible: true } as const

/** Every error of the store. Codes are stable. */
export const STORE_ERRORS = {
  /** A newer Tenon wrote the file. It is left as it is. @remedy Use that version, or another folder (--store). */
  'store-newer': fixable,
  /** An SQLite file of another program. It is left as it is. @remedy Name another folder (--store). */
  'store-foreign': fixable,
  /**
   * The file is damaged or no SQLite file. It is left as it is.
   * @remedy Restore a backup, or name another folder (--store).
   */
  'store-corrupt': fixable,
  /**
   * The file, its folder or the disk may not be written.
   * @remedy Change the rights, or name another folder (--store).
   */
  'store-read-only': fixable,
  /**
   * The disk or the allowed size is used up. Nothing of what was being written is kept.
   * @remedy Make room, then try again.
   */
  'store-full': passing,
  /**
   * Other processes kept the file locked for longer than the time to wait.
   * @remedy Try again; end the process that keeps it.
   */
  'store-busy': passing,
  /** The store was used after `close()`. @remedy Open it again. */
  'store-closed': fixable,
  /** No SQLite for this Node and platform. @remedy Use a Node and platform that the message names. */
  'store-driver': fixable,
  /** Anything else that SQLite or the disk refuses. @remedy The message says what was refused. */
  'store-failed': fixable,
  /** An artifact's file is gone or not as long as it was. @remedy Make it again: run the step once more. */
  'artifact-damaged': { retryable: false, modelVisible: true, userVisible: true },
  /** A backup never writes over something. @remedy Name another file. */
  'backup-exists': usage,
  /** Not a cursor that the run list gave out. @remedy Begin without a cursor. */
  'cursor-invalid': usage,
  /**
   * The run cannot be removed yet: something of it has not ended, or it belongs to a run that is kept.
   * @remedy Cancel or remove what the message names.
   */
  'run-kept': usage,
} as const satisfies ErrorTable

export type StoreErrorCode = keyof typeof STORE_ERRORS

export class StoreError extends TenonError {
  constructor(code: StoreErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, STORE_ERRORS[code], options)
  }
}

import { type ErrorOptions, type ErrorTable, TenonError } from '@tenon/kernel'

const fixable = { retryable: false, modelVisible: false, userVisible: true } as const
const passing = { retryable: true, modelVisible: false, userVisible: true } as const

/** Every error of the store. Codes are stable. */
export const STORE_ERRORS = {
  /** A newer Tenon wrote the file. It is left as it is. */
  'store-newer': fixable,
  /** An SQLite file of another program. It is left as it is. */
  'store-foreign': fixable,
  /** The file is damaged or no SQLite file. It is left as it is. */
  'store-corrupt': fixable,
  /** The file, its folder or the disk may not be written. */
  'store-read-only': fixable,
  /** The disk or the allowed size is used up. Nothing of what was being written is kept. */
  'store-full': passing,
  /** Other processes kept the file locked for longer than the time to wait. */
  'store-busy': passing,
  /** The store was used after `close()`. */
  'store-closed': fixable,
  /** No SQLite for this Node and platform. */
  'store-driver': fixable,
  /** Anything else that SQLite or the disk refuses. */
  'store-failed': fixable,
  /** An artifact's file is gone or not as long as it was. */
  'artifact-damaged': { retryable: false, modelVisible: true, userVisible: true },
  /** A backup never writes over something. */
  'backup-exists': fixable,
  /** Not a cursor that the run list gave out. */
  'cursor-invalid': fixable,
} as const satisfies ErrorTable

export type StoreErrorCode = keyof typeof STORE_ERRORS

export class StoreError extends TenonError {
  constructor(code: StoreErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, STORE_ERRORS[code], options)
  }
}

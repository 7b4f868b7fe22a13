import { StoreError, type StoreErrorCode } from './errors.js'

/** Primary result codes, https://sqlite.org/rescode.html */
const BY_RESULT_CODE: Readonly<Record<number, StoreErrorCode>> = {
  5: 'store-busy',
  6: 'store-busy',
  8: 'store-read-only',
  11: 'store-corrupt',
  13: 'store-full',
  26: 'store-corrupt',
}

const BY_SYSTEM_CODE: Readonly<Record<string, StoreErrorCode>> = {
  EACCES: 'store-read-only',
  EPERM: 'store-read-only',
  EROFS: 'store-read-only',
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
}

/** SQLite's own words for the same: the driver leaves the number out where rows are read. */
const BY_TEXT: Readonly<Record<string, StoreErrorCode>> = {
  'database is locked': 'store-busy',
  'attempt to write a readonly database': 'store-read-only',
  'database disk image is malformed': 'store-corrupt',
  'database or disk is full': 'store-full',
  'file is not a database': 'store-corrupt',
}

/** What a person does about it, said the same wherever it happens. */
const ADVICE: Partial<Record<StoreErrorCode, string>> = {
  'store-busy': 'Other processes kept the store locked. Nothing was written; try again.',
  'store-read-only':
    'The store may not be written. Nothing was lost; give yourself write access to its file and folder, or choose another folder.',
  'store-full':
    'There is no room left for the store. What was being written is not kept, all before it is; free some space or prune old runs, then resume the run.',
  'store-corrupt':
    'The store is damaged, or no SQLite file. It is left as it is; move the file away and put the last backup in its place, or start anew without it.',
  'store-closed': 'The store was closed. Open it again.',
}

/** The store's own error for whatever SQLite or the file system threw. `file` is named where a person chose it. */
export function storeFailure(thrown: unknown, file?: string): StoreError {
  if (thrown instanceof StoreError) return thrown
  const code = codeOf(thrown)
  const advice = ADVICE[code] ?? `The store could not do that: ${reasonOf(thrown)}.`
  return new StoreError(code, file === undefined ? advice : `${file}: ${advice}`, { cause: thrown })
}

function codeOf(thrown: unknown): StoreErrorCode {
  if (!(thrown instanceof Error)) return 'store-failed'
  const { errcode, code } = thrown as { errcode?: unknown; code?: unknown }
  if (code === 'ERR_INVALID_STATE') return 'store-closed'
  const known =
    (typeof errcode === 'number' ? BY_RESULT_CODE[errcode & 0xff] : undefined) ??
    (typeof code === 'string' ? BY_SYSTEM_CODE[code] : undefined)
  return known ?? BY_TEXT[thrown.message] ?? 'store-failed'
}

/** SQLite's words name no path; a file system's do, so only its code is passed on. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown error'
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown }
  if (syscall === 'mkdir' && (code === 'ENOTDIR' || code === 'EEXIST'))
    return 'a file stands where its folder should be; move it, or choose another folder'
  return typeof syscall === 'string' ? `${syscall} ${String(code)}` : thrown.message
}

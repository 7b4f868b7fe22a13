import { isTenonError } from '@tenon/kernel'
import { HostError, type HostErrorCode } from '../errors.js'

type Told = readonly [code: HostErrorCode, words: string]

/** What the system says, as a name and as what to do. Its own message holds the full path and is not passed on. */
const TOLD: Readonly<Record<string, Told>> = {
  ENOENT: ['path-missing', 'does not exist; list_files shows what there is'],
  ENOTDIR: ['path-kind', 'has a file where a folder is needed'],
  EISDIR: ['path-kind', 'is a folder; list_files shows what is in it'],
  EACCES: ['path-denied', 'may not be used: the system denies access'],
  EPERM: ['path-denied', 'may not be used: the system denies it'],
  ELOOP: ['path-denied', 'is a link that leads in a circle, or to where nothing is'],
  ENAMETOOLONG: ['path-invalid', 'has a name that is too long for this disk'],
  EINVAL: ['path-invalid', 'has a name that this disk does not take'],
  EILSEQ: ['path-invalid', 'has a name that this disk does not take'],
  EROFS: ['disk-read-only', 'cannot be written: the disk is read-only. Nothing was changed'],
  ENOSPC: ['disk-full', 'cannot be written: the disk is full. Nothing was changed; free some space and try again'],
  EDQUOT: ['disk-full', 'cannot be written: the quota is used up. Nothing was changed; free some space and try again'],
  EFBIG: ['file-too-large', 'would be larger than this disk takes. Nothing was changed'],
  EXDEV: ['path-denied', 'lies on another disk than its folder'],
  ENXIO: ['path-kind', 'is a device, a socket or a pipe'],
}

/** @param shown the path as the caller wrote it. */
export function fileError(error: unknown, shown: string): unknown {
  if (isTenonError(error)) return error
  const code = (error as NodeJS.ErrnoException | null)?.code
  const told = code === undefined ? undefined : TOLD[code]
  if (told === undefined) return error
  return new HostError(told[0], `${JSON.stringify(shown)} ${told[1]}.`, { detail: { path: shown }, cause: error })
}

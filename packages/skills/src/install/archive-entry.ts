/** Why an archive is refused. The names are stable. */
export type RefusalReason =
  | 'entry-parent-path'
  | 'entry-absolute-path'
  | 'entry-backslash'
  | 'entry-nul'
  | 'entry-link'
  | 'entry-special-file'
  | 'entry-case-duplicate'
  | 'archive-bomb'
  | 'archive-broken'
  | 'no-skill-file'
  | 'skill-not-loadable'
  | 'name-unsafe'

/** An entry as its archive states it, before anything was unpacked. */
export type ArchiveEntry = {
  /** As written, byte for byte where it is UTF-8. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  /** Bytes when unpacked. */
  readonly size: number
  /** May be started. Only this one bit of the mode is kept. */
  readonly executable: boolean
  /** At most `size` bytes; throws ArchiveRefusal when what comes is not what was stated. */
  bytes(): Buffer
}

/** Thrown while an archive is read; `reason` is what the user is told by name. */
export class ArchiveRefusal extends Error {
  override readonly name = 'ArchiveRefusal'

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message)
  }
}

/** The most that an archive may hold. Far above what real skills have, far below what hurts. */
export const ARCHIVE_LIMITS = {
  archiveBytes: 64 * 1024 * 1024,
  unpackedBytes: 64 * 1024 * 1024,
  files: 2_000,
  /** Unpacked to packed, looked at from `ratioFrom` bytes on: short texts pack well. */
  ratio: 100,
  ratioFrom: 1024 * 1024,
} as const

/** What is said while something large is set up. `total` is absent where the other side does not tell it. */
export type SetupProgress = {
  readonly step: 'runtime' | 'size' | 'download' | 'unpack' | 'check' | 'done'
  readonly message: string
  /** Bytes. */
  readonly done?: number
  readonly total?: number
}

export type SetupOptions = {
  /** Called before anything starts, with the size where it is known, and at most ten times a second after that. */
  readonly onProgress?: (progress: SetupProgress) => void
  readonly signal?: AbortSignal
}

/** 1.1 GB, 98 MB, 12 kB: the units in which sizes of downloads are told. */
export function byteSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`
  return `${Math.ceil(bytes / 1e3)} kB`
}

/** What the launcher is told by its host, as JSON on file descriptor 3. Paths are the host's. */
export type LandlockOrder = {
  readonly readable: readonly string[]
  /** Folders whose names may be listed, and no more. */
  readonly listable: readonly string[]
  readonly writable: readonly string[]
  readonly cwd: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** A user to become; absent: the one that started it. */
  readonly uid?: number
  /** RLIMIT number and value. */
  readonly limits: readonly (readonly [resource: number, value: number])[]
  /** `struct sock_filter[]`, base64. */
  readonly filter: string
  /** What to require for calls into the kernel. */
  readonly koffi: string
  /** How to say that the job could not be started. */
  readonly failure: { readonly says: string; readonly exitCode: number }
}

export type PathAccess = 'read' | 'list' | 'write'

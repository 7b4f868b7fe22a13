/** What the launcher of the sandbox runtime is told by its host, as JSON on file descriptor 3. Paths are the host's. */
export type RuntimeOrder = {
  /** Where the runtime's code lies. */
  readonly library: string
  readonly readable: readonly string[]
  readonly unreadable: readonly string[]
  readonly writable: readonly string[]
  readonly unwritable: readonly string[]
  /** As the runtime writes them: `host:port`. */
  readonly hosts: readonly string[]
  readonly cwd: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** A user to become; absent: the one that started it. */
  readonly uid?: number
  /** Words of `ulimit`: a letter and a value each. */
  readonly limits: readonly (readonly [letter: string, value: number])[]
}

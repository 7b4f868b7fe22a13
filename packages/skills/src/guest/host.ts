/**
 * What the sandbox `quickjs` gives to the code in it, and all that there is beside the language. Paths are absolute
 * within the job. A call that fails throws an `Error` with the `code` of Node's.
 */
export type GuestHost = {
  /** Undefined stands for standard input. */
  readonly read: (path: string | undefined) => ArrayBuffer
  readonly readText: (path: string | undefined) => string
  readonly write: (path: string, content: string | ArrayBuffer, append: boolean) => void
  readonly list: (path: string) => readonly string[]
  readonly stat: (path: string) => GuestStat
  readonly makeFolder: (path: string) => void
  readonly remove: (path: string) => void
  readonly print: (stream: 1 | 2, text: string) => void
  readonly exit: (code: number) => void
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export type GuestStat = {
  readonly kind: 'file' | 'folder'
  readonly size: number
  /** Milliseconds since 1970. */
  readonly changed: number
}

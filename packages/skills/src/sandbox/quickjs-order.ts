import type { Mapping } from './mapped-files.js'

/** What the launcher of QuickJS is told by its host, as JSON on file descriptor 3. */
export type QuickjsOrder = {
  readonly files: readonly Mapping[]
  /** A file by its path inside, or the text of a program. */
  readonly program: { readonly file: string } | { readonly text: string }
  /** Without the program. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Bytes that all values together may take. */
  readonly memory: number
  readonly cpuSeconds: number
  /** Bytes of one file. */
  readonly fileSize: number
  /** A user to become; absent: the one that started it. */
  readonly uid?: number
}

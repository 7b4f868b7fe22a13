export type SandboxLimits = {
  /** Milliseconds from start to end. */
  readonly wallMs: number
  /** Processor time of one process, in seconds. */
  readonly cpuSeconds: number
  /** Bytes. */
  readonly memory: number
  /**
   * Bytes of addresses that a runtime reserves without using them, over `memory`. A JavaScript engine reserves
   * gigabytes; without this a limit on addresses would keep it from starting.
   */
  readonly reserved: number
  readonly processes: number
  readonly openFiles: number
  /** Bytes of one file. */
  readonly fileSize: number
  /** Bytes of everything that is written to staged folders. */
  readonly disk: number
  /** Bytes of one output stream that are kept. What comes after is counted. */
  readonly outputKept: number
  /** Bytes of output after which the job is ended. */
  readonly outputMost: number
}

const MB = 1024 * 1024

export const SANDBOX_LIMITS: SandboxLimits = Object.freeze({
  wallMs: 60_000,
  cpuSeconds: 60,
  memory: 512 * MB,
  reserved: 0,
  processes: 64,
  openFiles: 256,
  fileSize: 64 * MB,
  disk: 256 * MB,
  outputKept: MB,
  outputMost: 64 * MB,
})

/** What V8 reserves beside the memory that it uses. */
export const V8_RESERVES = 6 * 1024 * MB

export type SandboxLimits = {
  /** Milliseconds from start to end. */
  readonly wallMs: number
  /** Processor time of one process, in seconds. */
  readonly cpuSeconds: number
  /** Bytes. */
  readonly memory: number
  /** What the runtime takes for itself, over `memory`. */
  readonly overhead: RuntimeOverhead
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

/** Bytes that a runtime takes before a program has any. Without them a limit on memory would keep it from starting. */
export type RuntimeOverhead = {
  /** Addresses that it reserves, most of them never used. */
  readonly addresses: number
  /** Memory that it makes ready to be written. */
  readonly writable: number
}

const MB = 1024 * 1024

export const NO_OVERHEAD: RuntimeOverhead = Object.freeze({ addresses: 0, writable: 0 })

/**
 * V8's: ten gigabytes of addresses for the WebAssembly of each `fetch`, others for the heap. Node 24 makes half a
 * gigabyte ready that it does not touch.
 */
export const V8_OVERHEAD: RuntimeOverhead = Object.freeze({ addresses: 16 * 1024 * MB, writable: 640 * MB })

export const SANDBOX_LIMITS: SandboxLimits = Object.freeze({
  wallMs: 60_000,
  cpuSeconds: 60,
  memory: 512 * MB,
  overhead: NO_OVERHEAD,
  processes: 64,
  openFiles: 256,
  fileSize: 64 * MB,
  disk: 256 * MB,
  outputKept: MB,
  outputMost: 64 * MB,
})

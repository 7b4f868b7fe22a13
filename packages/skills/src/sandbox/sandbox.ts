import type { Isolation, Strength } from './isolation.js'
import type { SandboxLimits } from './limits.js'

/** A folder or file of the host that the job may use. */
export type SandboxFolder = {
  /** Absolute. */
  readonly path: string
  readonly access: 'read' | 'write'
  /** Made for this job alone: its owner may be changed, and its size is watched. */
  readonly staged?: boolean
  /** Names at the top of a folder that are not there for the job, and names that it can only read. */
  readonly hidden?: readonly string[]
  readonly readOnly?: readonly string[]
  /** Lies inside where it lies outside, in every backend. */
  readonly keepPath?: boolean
}

/** What is started, in terms of the places inside. */
export type SandboxLaunch = {
  /** The program by absolute path or by a name that is looked up in `/usr/local/bin`, `/usr/bin` and `/bin`. */
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; nothing of the host's is added but `PATH`, `HOME`, `TMPDIR` and `LANG` where they are absent. */
  readonly env?: Readonly<Record<string, string>>
}

export type OutputPiece = { readonly stream: 'stdout' | 'stderr'; readonly text: string }

export type SandboxJob = {
  /** By names of lower-case letters. In a backend with a file tree of its own a folder `work` lies at `/work`. */
  readonly folders: Readonly<Record<string, SandboxFolder>>
  /** Where `HOME` and temporary files go: the name of a writable folder. */
  readonly home: string
  readonly launch: (at: (folder: string) => string) => SandboxLaunch
  /** Hosts that may be reached, as `host` (its web ports) or `host:port`. Absent: none. */
  readonly network?: readonly string[]
  readonly limits: SandboxLimits
  readonly signal?: AbortSignal
  readonly onOutput?: (piece: OutputPiece) => void
  readonly input?: string
}

/** What one stream held: its beginning, and how much there was in all. */
export type CapturedOutput = { readonly text: string; readonly bytes: number; readonly cut: boolean }

export type SandboxResult = {
  /** Why it is over. Whatever the reason, no process of the job is left. */
  readonly end: 'exited' | 'timed-out' | 'canceled' | 'disk-full' | 'output-full'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
  readonly elapsedMs: number
  readonly isolation: Isolation
}

/** What a backend found out about itself by running something. */
export type SandboxProbe =
  | { readonly usable: true; readonly strength: Strength; readonly isolation: Isolation }
  | { readonly usable: false; readonly reason: string; readonly remedy: string }

/** What a sandbox can run, and what a program asks for. */
export type SandboxPrograms = 'any program' | 'javascript'

/** A way to run a program apart from the host. Holds nothing between jobs. */
export interface Sandbox {
  readonly name: string
  /** `javascript`: plain scripts in that language, with files but without most of Node's API. */
  readonly runs: SandboxPrograms
  /** Runs a program that tries to get out, and says what it could do. Looked at once per process. */
  probe(): Promise<SandboxProbe>
  /**
   * What the job does is in the result.
   * @throws SkillsError `sandbox-failed` when it could not be started, `sandbox-cannot-grant` when it was not
   */
  run(job: SandboxJob): Promise<SandboxResult>
}

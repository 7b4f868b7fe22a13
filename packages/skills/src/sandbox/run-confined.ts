import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { SkillsError } from '../errors.js'
import { OutputCapture } from './captured-output.js'
import { folderSize } from './folder-size.js'
import { NOT_IN_GROUP } from './launcher-failure.js'
import type { OutputPiece, SandboxJob, SandboxResult } from './sandbox.js'

/** How a backend starts a job: everything that is not the same for all of them. */
export type ConfinedStart = {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /**
   * File descriptors 3, 4 …: bytes are written and then it ends; a function is told what comes out of it; a number is an
   * open file of ours.
   */
  readonly handed?: readonly (Uint8Array | ((text: string) => void) | number)[]
  /** Called with the process before it is handed anything: until then it waits. */
  readonly joined?: (pid: number) => Promise<void>
  readonly uid?: number
  /** Ends every process of the job; called also after it has exited by itself. */
  readonly kill: (child: ChildProcess) => void
  /** Whether a process of the job is still dying; without it the end of the child is the end of all. */
  readonly dying?: (child: ChildProcess) => boolean
  /** What the starter, not the job, prints when it cannot start: then the job never ran. */
  readonly startFailure: (exitCode: number | null, stderr: string) => string | undefined
}

/** Milliseconds that output may still come after the end of the job. */
const DRAIN_MS = 2_000
/** A killed process takes a moment to be gone. */
const DEATH_LOOK_MS = 1
const DEATH_LOOKS = 1_000
/** Milliseconds between two looks at the size of what was written. */
const DISK_LOOK_MS = 200

/** Runs a started job to its end within its bounds. @throws SkillsError `sandbox-failed` */
export async function runConfined(start: ConfinedStart, job: SandboxJob): Promise<Omit<SandboxResult, 'isolation'>> {
  const { limits, signal, onOutput, input } = job
  const began = performance.now()
  if (signal?.aborted) return notStarted()
  const child = spawn(start.file, start.args, {
    env: { ...start.env },
    stdio: [
      'pipe',
      'pipe',
      'pipe',
      ...(start.handed ?? []).map((what) => (typeof what === 'number' ? what : ('pipe' as const))),
    ],
    // A group and a session of its own: no terminal to push keys into, and one signal for all.
    detached: true,
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
    ...(start.uid === undefined ? {} : { uid: start.uid, gid: start.uid }),
  })
  let end: SandboxResult['end'] = 'exited'
  const stop = (reason: SandboxResult['end']): void => {
    if (end === 'exited') end = reason
    start.kill(child)
  }
  const stdout = new OutputCapture(limits.outputKept)
  const stderr = new OutputCapture(limits.outputKept)
  const listen = (stream: OutputPiece['stream'], from: Readable, into: OutputCapture): void => {
    from.on('data', (chunk: Buffer) => {
      const text = into.take(chunk)
      if (text !== '') onOutput?.({ stream, text })
      if (stdout.bytes + stderr.bytes > limits.outputMost) stop('output-full')
    })
    from.on('error', () => {})
  }
  listen('stdout', child.stdout as Readable, stdout)
  listen('stderr', child.stderr as Readable, stderr)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input ?? '')
  const bound = hand(child, start)

  const timer = setTimeout(() => stop('timed-out'), limits.wallMs)
  const watched = Object.values(job.folders).filter(({ access, staged }) => access === 'write' && staged === true)
  const looking = setInterval(() => {
    if (diskUse(watched, limits.disk) > limits.disk) stop('disk-full')
  }, DISK_LOOK_MS)
  const onAbort = (): void => stop('canceled')
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const [exitCode, ended] = await whenOver(child, start)
    for (let looks = 0; start.dying?.(child) && looks < DEATH_LOOKS; looks++) await pause(DEATH_LOOK_MS)
    if (!(await bound)) throw new SkillsError('sandbox-failed', `The sandbox could not start: ${NOT_IN_GROUP}`)
    if (end === 'exited' && diskUse(watched, limits.disk) > limits.disk) end = 'disk-full'
    const said = { stdout: stdout.end(), stderr: stderr.end() }
    const failure = end === 'exited' ? start.startFailure(exitCode, said.stderr.text) : undefined
    if (failure !== undefined) throw new SkillsError('sandbox-failed', `The sandbox could not start: ${failure}`)
    return { end, exitCode, signal: ended, ...said, elapsedMs: performance.now() - began }
  } finally {
    clearTimeout(timer)
    clearInterval(looking)
    signal?.removeEventListener('abort', onAbort)
  }
}

const diskUse = (folders: readonly { readonly path: string }[], most: number): number =>
  folders.reduce((sum, { path }) => sum + folderSize(path, most), 0)

/** False when the process was ended because it could not be bound. */
async function hand(child: ChildProcess, { handed = [], joined, kill }: ConfinedStart): Promise<boolean> {
  const pipes = handed.map((what, index) => ({ what, pipe: child.stdio[3 + index] }))
  for (const { what, pipe } of pipes) {
    pipe?.on('error', () => {})
    if (typeof what === 'function') (pipe as Readable).setEncoding('utf8').on('data', what)
  }
  try {
    if (child.pid !== undefined) await joined?.(child.pid)
  } catch {
    // Outside its control group it would have no limits.
    kill(child)
    return false
  }
  for (const { what, pipe } of pipes) if (what instanceof Uint8Array) (pipe as Writable).end(what)
  return true
}

/** Over when the job has exited, everything it left behind is ended, and its output has been read. */
function whenOver(child: ChildProcess, start: ConfinedStart): Promise<[number | null, string | null]> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      if (child.pid === undefined)
        reject(new SkillsError('sandbox-failed', `The sandbox could not start: ${cause.code ?? 'unknown'}.`, { cause }))
    })
    child.once('exit', () => {
      start.kill(child)
      // What got away from the kill may hold the output open for ever.
      const drained = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
      }, DRAIN_MS)
      child.once('close', () => clearTimeout(drained))
    })
    child.once('close', (code, signal) => resolve([code, signal]))
  })
}

function notStarted(): Omit<SandboxResult, 'isolation'> {
  const nothing = Object.freeze({ text: '', bytes: 0, cut: false })
  return { end: 'canceled', exitCode: null, signal: null, stdout: nothing, stderr: nothing, elapsedMs: 0 }
}

import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { ModelsError } from '../errors.js'
import type { FromWorker, GenerateJob, LoadJob, ToWorker } from './worker-protocol.js'

/** What a job is told: its messages, and at the end an error if the process could not go on. */
export type JobListener = {
  message(message: Exclude<FromWorker, { kind: 'loaded' | 'load-failed' }>): void
  lost(error: ModelsError): void
}

/** Variables that the loader of native code may need. The child gets no others: no keys, no tokens. */
const PASSED = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'USERPROFILE', 'LD_LIBRARY_PATH']

/**
 * A child process that holds a model. Started at the first job, ended after a time without one and with its parent;
 * it does not keep the parent alive while it has nothing to do.
 */
export class WorkerProcess {
  #child: ChildProcess | undefined
  #jobs = new Map<number, JobListener>()
  #next = 1
  #idle: NodeJS.Timeout | undefined

  constructor(
    private readonly load: LoadJob,
    private readonly idleMs: number,
  ) {}

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Returns how to cancel the job. */
  start(job: GenerateJob, listener: JobListener): () => void {
    const child = this.#start()
    const id = this.#next++
    clearTimeout(this.#idle)
    this.#jobs.set(id, listener)
    this.#hold(child, true)
    this.#send(child, { kind: 'generate', id, job })
    return () => {
      if (this.#jobs.has(id)) this.#send(child, { kind: 'cancel', id })
    }
  }

  /** Ends the process; jobs that are under way are lost. */
  close(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#child
    if (child === undefined) return Promise.resolve()
    this.#hold(child, true)
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      this.#lose(child, new ModelsError('local-canceled', 'The local model was closed.'))
      child.kill('SIGKILL')
    })
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child
    // Found through the package, so that it is also found from a bundle.
    const entry = createRequire(import.meta.url).resolve('@tenon/models/local-worker')
    const env = Object.fromEntries(PASSED.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])))
    const child = fork(entry, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#child = child
    child.on('message', (message: FromWorker) => this.#receive(child, message))
    child.once('error', (cause) =>
      this.#lose(
        child,
        new ModelsError('local-crashed', 'The process for the local model could not be started.', { cause }),
      ),
    )
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`
      this.#lose(
        child,
        new ModelsError(
          'local-crashed',
          `The process that held the local model ended (${how}); memory may have run out. Try again, or take a smaller model or context.`,
        ),
      )
    })
    this.#send(child, { kind: 'load', ...this.load })
    return child
  }

  #receive(child: ChildProcess, message: FromWorker): void {
    if (message.kind === 'loaded') return
    if (message.kind === 'load-failed') {
      this.#lose(child, new ModelsError('local-load-failed', `The local model could not be loaded: ${message.message}`))
      child.kill('SIGKILL')
      return
    }
    this.#jobs.get(message.id)?.message(message)
    if (message.kind === 'reading' || message.kind === 'piece' || message.kind === 'call-piece') return
    this.#jobs.delete(message.id)
    if (this.#jobs.size > 0) return
    this.#hold(child, false)
    this.#idle = setTimeout(() => void this.close(), this.idleMs)
    this.#idle.unref()
  }

  #lose(child: ChildProcess, error: ModelsError): void {
    if (this.#child !== child) return
    this.#child = undefined
    const jobs = [...this.#jobs.values()]
    this.#jobs.clear()
    for (const job of jobs) job.lost(error)
  }

  #send(child: ChildProcess, message: ToWorker): void {
    // A process that has ended tells so by its exit; there is nothing more to say to it.
    if (child.connected) child.send(message, () => {})
  }

  #hold(child: ChildProcess, hold: boolean): void {
    if (hold) {
      child.ref()
      child.channel?.ref()
    } else {
      child.unref()
      child.channel?.unref()
    }
  }
}

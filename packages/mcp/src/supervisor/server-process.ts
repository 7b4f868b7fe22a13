import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { McpError } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import { LogTail, lastWords } from '../upstream/log-tail.js'
import type { UpstreamTarget } from '../upstream/upstream.js'
import { childEnvironment } from './child-environment.js'
import { watchGroup } from './watchdog.js'
import { windowsCommand } from './windows-command.js'

/** Milliseconds for what is still in the pipe of a process that has ended. */
const DRAIN_MS = 100
/** Milliseconds between closing stdout and ending, for a process that does both. */
const EOF_MS = 250

export type ProcessEvents = {
  output(chunk: Buffer): void
  /** Called once: the process has ended, or will say nothing more. */
  ended(error: McpError): void
  readonly diagnose: Diagnose
}

/** A server as a process in a group of its own, so that all that it starts ends with it. */
export class ServerProcess {
  readonly log = new LogTail()
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #exited: Promise<void>
  #unwatch: () => void = () => {}
  #over = false
  #gone = false
  #closing: Promise<void> | undefined

  constructor(
    readonly name: string,
    target: Extract<UpstreamTarget, { kind: 'stdio' }>,
    readonly graceMs: number,
    readonly events: ProcessEvents,
  ) {
    const env = childEnvironment(typeof target.env === 'function' ? target.env() : target.env)
    const windows = process.platform === 'win32'
    const plan = windows
      ? windowsCommand(target.command, target.args ?? [], env)
      : { file: target.command, args: target.args ?? [], verbatim: false }
    this.#child = spawn(plan.file, plan.args, {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: plan.verbatim,
      ...(target.cwd === undefined ? {} : { cwd: target.cwd }),
    })
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#gone = true
        resolve()
        this.#endsIn(DRAIN_MS, code === null ? `was ended by ${signal}` : `ended with code ${code}`)
      })
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        if (this.#child.pid !== undefined) return
        this.#gone = true
        resolve()
        queueMicrotask(() => this.#notStarted(target.command, error))
      })
    })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#over) events.output(chunk)
    })
    this.#child.stdout.on('error', () => {})
    this.#child.stdout.once('end', () => this.#endsIn(EOF_MS, 'closed its output'))
    this.#child.stderr.on('data', (chunk: Buffer) => this.log.add(chunk.toString('utf8')))
    this.#child.stderr.on('error', () => {})
    if (this.#child.pid !== undefined) this.#unwatch = watchGroup(this.#child.pid)
  }

  write(bytes: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes)
  }

  /** Bytes that the process has not taken yet. */
  get backlog(): number {
    return this.#child.stdin.writableLength
  }

  /** Asks by the end of stdin, then by signals; then nothing of the group is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#over = true
    this.#child.stdin.end()
    if (!(await this.#gives(this.graceMs))) {
      this.#signal('SIGTERM')
      if (!(await this.#gives(this.graceMs))) {
        this.events.diagnose('killed', `${this.name} did not end when it was asked to`)
        this.#signal('SIGKILL')
        await this.#exited
      }
    }
    await this.#killRest()
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    this.#unwatch()
  }

  /** What comes after it was asked to end is no news, and keeps nobody waiting. */
  #endsIn(ms: number, how: string): void {
    if (!this.#over) setTimeout(() => this.#ended(how), ms)
  }

  #ended(how: string): void {
    if (this.#over) return
    this.#over = true
    // What it wrote is for whoever runs it, and in no message: those reach a model, and a stack, a path or a secret may
    // stand there.
    const last = lastWords(this.log.text)
    if (last !== '') this.events.diagnose('stderr', last)
    this.events.ended(new McpError('mcp-connection-lost', `The process of ${this.name} ${how}.`))
    void this.close()
  }

  #notStarted(command: string, cause: NodeJS.ErrnoException): void {
    if (this.#over) return
    this.#over = true
    const why =
      cause.code === 'ENOENT'
        ? `there is no command "${command}" in the PATH that it is given`
        : `the system says ${cause.code ?? 'no'}`
    this.events.ended(new McpError('mcp-start-failed', `${this.name} could not be started: ${why}.`, { cause }))
    this.#unwatch()
  }

  async #gives(ms: number): Promise<boolean> {
    if (this.#gone) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const gone = await Promise.race([this.#exited.then(() => true as const), late])
    clearTimeout(timer)
    return gone
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child
    if (pid === undefined) return
    if (process.platform === 'win32') {
      execFile('taskkill', ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])], () => {})
      return
    }
    try {
      process.kill(-pid, signal)
    } catch {
      // The group is gone already.
    }
  }

  /** The leader is gone; whoever is left of its group was started by it. */
  async #killRest(): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined || process.platform === 'win32' || !groupLives(pid)) return
    // A wrapper and what it wraps end one after the other.
    for (let waited = 0; waited < 60; waited += 20) {
      await pause(20)
      if (!groupLives(pid)) return
    }
    this.#signal('SIGTERM')
    for (let waited = 0; waited < 200 && groupLives(pid); waited += 20) await pause(20)
    this.events.diagnose('orphan-killed', `${this.name} left processes behind`)
    this.#signal('SIGKILL')
    // A killed process is there until its new parent has taken note of it.
    for (let waited = 0; waited < 3_000 && groupLives(pid); waited += 20) await pause(20)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

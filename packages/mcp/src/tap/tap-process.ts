import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { McpError } from '../errors.js'
import { LineSplitter } from './line-splitter.js'
import { KEPT_BYTES, type TapRecorder } from './tap-recorder.js'

export type TapProcessOptions = {
  readonly command: string
  readonly args: readonly string[]
  /** Handed on as it is: a tap must not change what the server sees. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  readonly recorder: TapRecorder
}

/** How long what a gone server left in its pipes, or a grandchild holds open, is waited for. Milliseconds. */
const DRAIN_MS = 1000

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const

/**
 * Runs a server and stands in its pipes. Bytes pass as they come, in both directions, with back pressure; what is
 * recorded is a copy. Signals go on to the server. Resolves to the server's exit code, 128 + n for signal n.
 *
 * @throws McpError `mcp-start-failed`
 */
export async function tapProcess(options: TapProcessOptions): Promise<number> {
  const { command, args, environment, cwd, stdin, stdout, stderr, recorder } = options
  const child = spawn(command, [...args], { cwd, env: { ...environment }, stdio: ['pipe', 'pipe', 'pipe'] })
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)

  const fromClient = new LineSplitter(KEPT_BYTES, (line) => recorder.line('client', line))
  const fromServer = new LineSplitter(KEPT_BYTES, (line) => recorder.line('server', line))
  const complaints = new LineSplitter(KEPT_BYTES, (line) => recorder.stderr(line))
  stdin.on('data', (chunk: Buffer) => fromClient.write(chunk))
  child.stdout.on('data', (chunk: Buffer) => fromServer.write(chunk))
  child.stderr.on('data', (chunk: Buffer) => complaints.write(chunk))
  // A server that is gone closes its input; what the client still writes is nobody's.
  child.stdin.on('error', () => stdin.unpipe(child.stdin))
  stdin.pipe(child.stdin)
  child.stdout.pipe(stdout, { end: false })
  child.stderr.pipe(stderr, { end: false })

  try {
    const { code, signal } = await ended(child)
    await drained(child.stdout, child.stderr)
    for (const splitter of [fromClient, fromServer, complaints]) splitter.end()
    recorder.exit(code, signal)
    await Promise.all([flushed(stdout), flushed(stderr)])
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward)
    stdin.unpipe(child.stdin)
    stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

const ended = (child: ReturnType<typeof spawn>): Promise<Exit> =>
  new Promise((done, fail) => {
    child.once('exit', (code, signal) => done({ code, signal }))
    child.once('error', (cause) => {
      const message = `${child.spawnfile} could not be started. Check that it is installed and on the PATH.`
      fail(new McpError('mcp-start-failed', message, { cause }))
    })
  })

async function drained(...pipes: readonly Readable[]): Promise<void> {
  const all = Promise.all(
    pipes.map((pipe) => (pipe.readableEnded ? undefined : new Promise((end) => pipe.once('close', end)))),
  )
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    all,
    new Promise((late) => {
      // Runs on progress: as long as bytes come, it is waited on.
      const again = (): void => {
        clearTimeout(timer)
        // A pipe that is paused waits for a slow reader of ours, not for a server that is gone.
        timer = setTimeout(() => (pipes.some((pipe) => pipe.isPaused()) ? again() : late(undefined)), DRAIN_MS)
      }
      for (const pipe of pipes) pipe.on('data', again)
      again()
    }),
  ])
  clearTimeout(timer)
}

/** A pipe takes what it is given behind our back; the process must not end before it has taken everything. */
const flushed = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((done) => {
    if (stream.writable) stream.write('', () => done())
    else done()
  })

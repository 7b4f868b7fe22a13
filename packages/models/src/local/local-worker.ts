import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LlamaSession } from './llama-session.js'
import type { LlamaCallChunk, LlamaModule } from './llama-types.js'
import type { FromWorker, ToWorker } from './worker-protocol.js'

/**
 * The process that holds a model's weights: a crash in native code, or memory that runs out, ends this process and not
 * the host's. It takes one job at a time, in order, and ends when its parent does.
 */
const send = (message: FromWorker): void => {
  if (process.connected) process.send?.(message)
}

let session: Promise<LlamaSession> | undefined
let queue: Promise<void> = Promise.resolve()
const running = new Map<number, AbortController>()

process.on('message', (message: ToWorker) => {
  if (message.kind === 'load') {
    session = load(message)
    session.then(
      (loaded) => send({ kind: 'loaded', contextSize: loaded.contextSize }),
      (error: unknown) => send({ kind: 'load-failed', message: told(error) }),
    )
  } else if (message.kind === 'cancel') running.get(message.id)?.abort()
  else {
    const stop = new AbortController()
    running.set(message.id, stop)
    queue = queue.then(() => generate(message, stop.signal)).finally(() => running.delete(message.id))
  }
})
process.on('disconnect', () => process.exit(0))

async function load(job: Extract<ToWorker, { kind: 'load' }>): Promise<LlamaSession> {
  const entry = join(job.runtime, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  const module = (await import(pathToFileURL(entry).href)) as LlamaModule
  return LlamaSession.load(module, job)
}

async function generate({ id, job }: Extract<ToWorker, { kind: 'generate' }>, signal: AbortSignal): Promise<void> {
  try {
    if (session === undefined) throw new Error('generate came before load')
    const loaded = await session
    const outcome = await loaded.generate(job, signal, {
      reading: () => send({ kind: 'reading', id }),
      piece: (part, text) => send({ kind: 'piece', id, part, text }),
      callPiece: (chunk: LlamaCallChunk) =>
        send({ kind: 'call-piece', id, index: chunk.callIndex, name: chunk.functionName, text: chunk.paramsChunk }),
    })
    send(outcome.kind === 'overflow' ? { ...outcome, id } : { kind: 'ended', id, end: outcome })
  } catch (error) {
    send({ kind: 'failed', id, message: told(error) })
  }
}

/** The first line, and no path of this machine in it. */
function told(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return line.replaceAll(/(?:[A-Za-z]:)?[\\/][^\s"']*[\\/][^\s"']*/g, '(path)').slice(0, 300)
}

import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const worker = join(dirname(fileURLToPath(import.meta.url)), 'worker.mjs')
/** A worker that has not ended by then is stuck. */
const PATIENCE_MS = 30_000

/** The world outside the host: what happened, by effect and idempotency key. Kept by the process that does the killing. */
export class World {
  /** @type {Map<string, string[]>} */
  happened = new Map()

  /** @param {string} name @param {string} key */
  effect(name, key) {
    const keys = this.happened.get(name) ?? []
    this.happened.set(name, [...keys, key])
    return `job of ${key}`
  }

  /** @param {string} name */
  times(name) {
    return this.happened.get(name)?.length ?? 0
  }

  /** @param {string} name */
  keys(name) {
    return new Set(this.happened.get(name)).size
  }
}

/**
 * Runs one worker to its end or its death.
 *
 * @param {string} dir the store
 * @param {World} world
 * @param {number} killAt the point at which it kills itself; never, if negative
 * @returns {Promise<{ points: string[], ended: string | undefined, killed: boolean, stderr: string }>}
 */
export function attempt(dir, world, killAt) {
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const points = []
    /** @type {string | undefined} */
    let ended
    let stderr = ''
    const child = fork(worker, [dir, String(killAt)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    child.stderr?.on('data', (text) => {
      stderr += text
    })
    child.on('message', (/** @type {any} */ message) => {
      if (message.point !== undefined) points.push(message.point)
      else if (message.ended !== undefined) ended = message.ended
      else if (message.happened !== undefined) child.send(world.times(message.happened) > 0)
      else child.send(world.effect(message.effect, message.key))
    })
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      clearTimeout(timer)
      resolve({ points, ended, killed: signal === 'SIGKILL', stderr })
    })
  })
}

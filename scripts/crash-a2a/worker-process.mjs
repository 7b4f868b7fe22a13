import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WORKER = join(dirname(fileURLToPath(import.meta.url)), 'worker.mjs')

/** One server in a process of its own. */
export class WorkerProcess {
  /** @param {import('node:child_process').ChildProcess} child @param {string} url */
  constructor(child, url) {
    this.child = child
    this.url = url
    this.died = false
    this.gone = once(child, 'exit').then(() => {
      this.died = true
    })
  }

  /** @param {string} dir @param {string} seal @param {number} [point] */
  static async start(dir, seal, point = -1) {
    const child = fork(WORKER, [dir, seal, String(point)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [{ url }] = await once(child, 'message')
    return new WorkerProcess(child, url)
  }

  /** How many points its appends have passed. */
  async points() {
    this.child.send('points')
    const [{ points }] = await once(this.child, 'message')
    return points
  }

  async kill() {
    if (!this.died) this.child.kill('SIGKILL')
    await this.gone
  }
}

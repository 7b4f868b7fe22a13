import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startRequestServer } from '@tenon/a2a/cases'
import { call, said } from '../../scripts/crash-a2a/a2a-client.mjs'

const AT_ONCE = 8

/**
 * So many tasks that each wait for an answer, in one process: what they keep in memory, and how many timers. At the end
 * one of them is answered, so that they are known to be alive.
 *
 * @param {number} count
 */
export async function parkedTasks(count) {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-parked-a2a-'))
  const server = await startRequestServer({ openTasks: 2 * count }, () => false, {
    dir,
    sealKey: new Uint8Array(32),
    journal: (own) => own,
    touch: () => undefined,
  })
  const url = server.urls['jsonrpc 1.0'] ?? ''
  try {
    await park(url, 200)
    const before = await weigh()
    const [first] = await park(url, count)
    const after = await weigh()
    const { task } = await call(url, 'SendMessage', said('this one', { taskId: first }))
    if (task.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`the answered task is ${task.status.state}`)
    return { megabytes: Math.max(0, after.heap - before.heap) / 2 ** 20, timers: after.timers - before.timers }
  } finally {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @param {string} url @param {number} count @returns {Promise<string[]>} their ids */
async function park(url, count) {
  /** @type {string[]} */
  const ids = []
  const one = async () => {
    while (ids.length < count) {
      const place = ids.push('') - 1
      const { task } = await call(url, 'SendMessage', said('ask Which one?'))
      if (task.status.state !== 'TASK_STATE_INPUT_REQUIRED') throw new Error(`the task is ${task.status.state}`)
      ids[place] = task.id
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return ids
}

/** What is reachable, after a moment in which everything that is over may end. */
async function weigh() {
  await pause(200)
  setFlagsFromString('--expose_gc')
  const collect = /** @type {() => void} */ (runInNewContext('gc'))
  collect()
  collect()
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  return { heap: process.memoryUsage().heapUsed, timers }
}

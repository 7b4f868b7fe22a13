import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { call, said } from '../../scripts/crash-a2a/a2a-client.mjs'
import { WorkerProcess } from '../../scripts/crash-a2a/worker-process.mjs'

const WORK_MS = 700

/**
 * Milliseconds between the death of the process that works on a task, with which its lease ends, and the moment when
 * another one works on it. The task is a wait that begins anew when it is taken up.
 */
export async function takeover() {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-takeover-'))
  const seal = randomBytes(32).toString('hex')
  const [first, second] = await Promise.all([WorkerProcess.start(dir, seal), WorkerProcess.start(dir, seal)])
  try {
    const later = { ...said(`slow ${WORK_MS}`), configuration: { returnImmediately: true } }
    const { task } = await call(first.url, 'SendMessage', later)
    await pause(WORK_MS / 2)
    await first.kill()
    const killed = performance.now()
    for (;;) {
      const { status } = await call(second.url, 'GetTask', { id: task.id })
      if (status.state === 'TASK_STATE_COMPLETED') break
      if (performance.now() - killed > 20_000) throw new Error('nobody took the task up')
      await pause(5)
    }
    return Math.max(0, performance.now() - killed - WORK_MS)
  } finally {
    await Promise.all([first.kill(), second.kill()])
    rmSync(dir, { recursive: true, force: true })
  }
}

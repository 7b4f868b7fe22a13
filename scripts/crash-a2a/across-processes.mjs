import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, said } from './a2a-client.mjs'
import { WorkerProcess } from './worker-process.mjs'

/** What must hold over processes that come and go. @returns {Promise<string[]>} what did not */
export async function acrossProcesses() {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-across-a2a-'))
  const seal = randomBytes(32).toString('hex')
  const start = () => WorkerProcess.start(dir, seal)
  const problems = []
  let servers = await Promise.all([start(), start()])
  try {
    const [first, second] = servers
    const { task: paused } = await call(first.url, 'SendMessage', said('ask Which? then finish'))
    const { task: busy } = await call(first.url, 'SendMessage', {
      ...said('never'),
      configuration: { returnImmediately: true },
    })
    const canceled = await call(second.url, 'CancelTask', { id: busy.id })
    if (canceled.status.state !== 'TASK_STATE_CANCELED')
      problems.push(`cancel at the other process gave ${canceled.status.state}`)
    for (const server of servers) await server.kill()
    servers = await Promise.all([start(), start()])
    const { task } = await call(servers[1].url, 'SendMessage', said('this one', { taskId: paused.id }))
    const text = task.artifacts?.[0]?.parts[0]?.text
    if (text !== 'Which? -> this one') problems.push(`the paused task became ${task.status.state} with ${text}`)
    const seen = await call(servers[0].url, 'GetTask', { id: paused.id })
    if (seen.status.state !== 'TASK_STATE_COMPLETED') problems.push(`the other process sees ${seen.status.state}`)
  } catch (error) {
    problems.push(String(error))
  } finally {
    for (const server of servers) await server.kill()
    rmSync(dir, { recursive: true, force: true })
  }
  return problems
}

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { call, said } from './a2a-client.mjs'
import { WorkerProcess } from './worker-process.mjs'

/**
 * A message to a task, an answer or a word to one at work, sent with a key to a server that is killed before and after
 * everything that it writes, then again with the same key to another one: the task has it once.
 *
 * @param {{ step?: number, offset?: number }} [options]
 */
export async function messagesUnderFire({ step = 1, offset = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-messages-'))
  try {
    const failures = []
    let points = 0
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      const whole = await attempt(join(folder, name), -1, scenario)
      if (whole.problems.length > 0) throw new Error(`It does not even work unharmed: ${whole.problems.join('; ')}`)
      for (let at = offset; at < whole.points; at += step) {
        const { problems, killed } = await attempt(join(folder, `${name}-${at}`), at, scenario)
        if (killed) points++
        if (problems.length > 0) failures.push({ at: `${name} ${at}`, problems })
      }
    }
    return { points, failures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @type {Record<string, { begin: object, state: string, end?: string }>} */
const SCENARIOS = {
  answer: { begin: said('ask A? then ask B? then finish'), state: 'INPUT_REQUIRED', end: 'A? -> word, B? -> two' },
  word: { begin: { ...said('never'), configuration: { returnImmediately: true } }, state: 'WORKING' },
}

/** @param {string} dir @param {number} point @param {{ begin: object, state: string, end?: string }} scenario */
async function attempt(dir, point, { begin, state, end }) {
  mkdirSync(dir)
  const seal = randomBytes(32).toString('hex')
  const [worker, other] = await Promise.all([WorkerProcess.start(dir, seal, point), WorkerProcess.start(dir, seal)])
  try {
    const { task } = await call(other.url, 'SendMessage', begin)
    const word = { ...said('word', { taskId: task.id }), configuration: { returnImmediately: end === undefined } }
    const { task: after } = await insist([worker, other], word)
    const problems = []
    if (!after.status.state.endsWith(state)) problems.push(`the task is ${after.status.state}`)
    const kept = await until(other.url, task.id, (seen) => timesSaid(seen, 'word') > 0)
    if (timesSaid(kept, 'word') !== 1) problems.push(`the message is there ${timesSaid(kept, 'word')} times`)
    if (end !== undefined) {
      const { task: done } = await call(other.url, 'SendMessage', said('two', { taskId: task.id }))
      const text = done.artifacts?.[0]?.parts[0]?.text
      if (text !== end) problems.push(`it came to ${text}`)
    }
    return { problems, killed: worker.died, points: worker.died ? 0 : await worker.points() }
  } catch (error) {
    return { problems: [String(error)], killed: worker.died, points: 0 }
  } finally {
    await Promise.all([worker.kill(), other.kill()])
  }
}

/** Sends until somebody answers, always with the same key. @param {[WorkerProcess, WorkerProcess]} servers @param {object} request */
async function insist([worker, other], request) {
  const key = crypto.randomUUID()
  for (let n = 0; n < 100; n++) {
    const server = n === 0 ? worker : other
    const answer = await call(server.url, 'SendMessage', request, { 'idempotency-key': key }).catch(() => undefined)
    if (answer !== undefined) return answer
    await pause(20)
  }
  throw new Error('nobody answered')
}

/** @param {any} task @param {string} text */
const timesSaid = (task, text) =>
  (task.history ?? []).filter(({ role, parts }) => role === 'ROLE_USER' && parts[0]?.text === text).length

/** @param {string} url @param {string} id @param {(task: any) => boolean} condition */
async function until(url, id, condition) {
  for (let waited = 0; ; waited += 20) {
    const task = await call(url, 'GetTask', { id })
    if (condition(task) || waited > 5_000) return task
    await pause(20)
  }
}

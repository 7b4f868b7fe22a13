import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { follow, said } from './a2a-client.mjs'
import { WorkerProcess } from './worker-process.mjs'

const EFFECTS = 3

/**
 * Two servers on one store; the one that works is killed before and after every append to the journal while a client
 * streams and a webhook listens. @param {{ step?: number, offset?: number, onPoint?: (done: number, of: number) => void }} [options]
 */
export async function killTheServerEverywhere({ step = 1, offset = 0, onPoint } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-a2a-'))
  try {
    const unharmed = await attempt(join(folder, 'whole'), -1)
    if (unharmed.problems.length > 0) throw new Error(`It does not even work unharmed: ${unharmed.problems.join('; ')}`)
    const failures = []
    let points = 0
    for (let at = offset; at < unharmed.points; at += step) {
      const { problems, killed } = await attempt(join(folder, String(at)), at, unharmed.shape)
      if (killed) points++
      if (problems.length > 0) failures.push({ at, problems })
      onPoint?.(at + 1, unharmed.points)
    }
    return { points, failures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} dir @param {number} point @param {string} [expected] */
async function attempt(dir, point, expected) {
  mkdirSync(dir)
  const seal = randomBytes(32).toString('hex')
  const hook = await startHook()
  const [worker, other] = await Promise.all([WorkerProcess.start(dir, seal, point), WorkerProcess.start(dir, seal)])
  try {
    const request = {
      ...said(`work ${EFFECTS}`),
      configuration: { taskPushNotificationConfig: { url: hook.url, token: 't' } },
    }
    const { taskId, events } = await follow(() => (worker.died ? other.url : worker.url), request)
    const shape = events.map((event) => shapeOf(event, taskId)).join(' ')
    const wanted = expected ?? shape
    const problems = shape === wanted ? [] : [`the client saw ${shape}, not ${wanted}`]
    await until(() => hook.shapes(taskId).at(-1) === 'COMPLETED')
    const told = hook.shapes(taskId)
    const once = told.filter((item, index) => item !== told[index - 1])
    if (once.join(' ') !== wanted) problems.push(`the webhook was told ${told.join(' ')}`)
    if (told.length > once.length + 1) problems.push(`the webhook was told ${told.length - once.length} things twice`)
    const effects = readFileSync(join(dir, 'effects.txt'), 'utf8').trim().split('\n')
    if (new Set(effects).size !== EFFECTS) problems.push(`${new Set(effects).size} effects in place of ${EFFECTS}`)
    return { problems, shape, killed: worker.died, points: worker.died ? 0 : await worker.points() }
  } catch (error) {
    return { problems: [String(error)], shape: '', killed: worker.died, points: 0 }
  } finally {
    await Promise.all([worker.kill(), other.kill()])
    hook.stop()
  }
}

/** An event in a word. @param {any} event @param {string} taskId */
function shapeOf(event, taskId) {
  const { task, statusUpdate, artifactUpdate } = event
  if ((task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId) !== taskId) return 'foreign'
  if (artifactUpdate) return artifactUpdate.artifact.parts.map(({ text }) => text.trim()).join('+')
  return (task ?? statusUpdate).status.state.replace('TASK_STATE_', '')
}

async function startHook() {
  const told = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    told.push(JSON.parse(text))
    response.writeHead(204).end()
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/`,
    shapes: (taskId) => told.map((event) => shapeOf(event, taskId)),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** @param {() => boolean} condition */
async function until(condition) {
  for (let waited = 0; !condition() && waited < 10_000; waited += 20) await pause(20)
}

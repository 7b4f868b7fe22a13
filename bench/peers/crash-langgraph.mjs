// LangGraph.js with its SQLite saver, killed with SIGKILL at every point of a run: before and after every write of the
// saver and inside every effect. Then it is resumed in a new process. The effects are counted here, outside of it.
// `node bench/peers/crash-langgraph.mjs [--json]`
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `read` is pure: repeating it harms nobody, so it is not counted. */
const ONCE = ['charge', 'mail', 'ship']
const child = join(dirname(fileURLToPath(import.meta.url)), 'crash-langgraph-child.mjs')
const { version } = createRequire(import.meta.url)('@langchain/langgraph/package.json')

/**
 * @param {string} file
 * @param {Map<string, number>} effects
 * @param {number} killAt the point at which the process dies; never, if negative
 */
function attempt(file, effects, killAt) {
  return new Promise((resolve, reject) => {
    const points = []
    let ended
    let stderr = ''
    const process = fork(child, [file], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: ['--no-warnings'] })
    process.stderr?.on('data', (text) => {
      stderr += text
    })
    process.on('message', (message) => {
      if ('ended' in message) {
        ended = message.ended
        return
      }
      points.push(message.name)
      if (message.effect) effects.set(message.effect, (effects.get(message.effect) ?? 0) + 1)
      if (points.length - 1 === killAt) process.kill('SIGKILL')
      else process.send('go')
    })
    process.on('error', reject)
    process.on('close', (_code, signal) => resolve({ points, ended, stderr, killed: signal === 'SIGKILL' }))
  })
}

const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-'))
const whole = await attempt(join(folder, 'whole.db'), new Map(), -1)
if (whole.ended !== 'done') throw new Error(`the run does not even end unharmed: ${whole.ended}\n${whole.stderr}`)

const counts = { points: whole.points.length, lost: 0, doubled: 0, stuck: 0 }
/** @type {string[]} */
const doubledAt = []
async function killAndResume(index) {
  const file = join(folder, `${index}.db`)
  const effects = new Map()
  const killed = await attempt(file, effects, index)
  const { ended } = await attempt(file, effects, -1)
  if (ended !== 'done') counts.stuck += 1
  for (const name of ONCE) {
    const times = effects.get(name) ?? 0
    if (times === 0 && ended === 'done') counts.lost += 1
    if (times < 2) continue
    counts.doubled += 1
    doubledAt.push(`killed ${killed.points.at(-1)}: ${name} happened ${times} times`)
  }
}
const left = whole.points.map((_, index) => index)
const worker = async () => {
  for (let index = left.shift(); index !== undefined; index = left.shift()) await killAndResume(index)
}
await Promise.all([worker(), worker()])
rmSync(folder, { recursive: true, force: true })

const subject = `LangGraph.js ${version} with its SQLite saver`
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ subject, ...counts }))
} else {
  for (const line of doubledAt) console.log(`  ${line}`)
  console.log(
    `${subject}: ${counts.points} kill points, ${counts.lost} lost, ${counts.doubled} doubled, ${counts.stuck} stuck`,
  )
}

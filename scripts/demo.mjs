// npm run demo [-- --crash] [-- --model NAME]: an agent reads documents, asks, writes a report, and shows its run.
// --crash kills the process with SIGKILL in the middle; another one takes the run up and finishes it.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { repoRoot, runNode } from './run-node.mjs'

const { values } = parseArgs({
  options: {
    crash: { type: 'boolean', default: false },
    model: { type: 'string' },
    yes: { type: 'boolean', default: false },
  },
})

const GOAL = 'Which supplier has to be put on notice for Q3, and what does it owe us? Write the notice to reports/.'
const folder = join(repoRoot, 'examples', 'demo')
const store = join(folder, '.tenon')
const tenon = join(repoRoot, 'packages', 'tenon', 'bin', 'tenon.js')
const report = join(folder, 'reports', 'notice-baltic-fasteners-2026-q3.md')

const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY)
const consent = terminal && !values.yes ? [] : ['--yes']
const common = ['--store', store]
const mind = ['--rehearsal', join(folder, 'rehearsal.yaml'), ...(values.model ? ['--model', values.model] : [])]

/** @param {string} line */
const say = (line) => console.log(process.stdout.isTTY ? styleText('bold', line) : line)

/** @param {readonly string[]} args */
function start(args) {
  say(
    `$ tenon ${args.map((arg) => (/[\s*?]/.test(arg) ? JSON.stringify(arg) : arg.replace(`${folder}/`, ''))).join(' ')}`,
  )
  return spawn(process.execPath, [tenon, ...args], { cwd: folder, stdio: 'inherit' })
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ended = (child) => new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))

/** Waits until the run has begun its third turn: four documents are read, nothing is written. */
async function inTheMiddle(child) {
  const { openStore } = await import('@tenon/store')
  while (child.exitCode === null) {
    await pause(20)
    if (!existsSync(store)) continue
    const kept = openStore({ dir: store })
    try {
      const [run] = kept.runs.list({ limit: 1 }).runs
      const events = run ? kept.journal.load(run.runId) : []
      if (events.some((event) => event.kind === 'turn-began' && event.turnId === 't3')) return events.length
    } finally {
      kept.close()
    }
  }
  return undefined
}

const built = await runNode([join(repoRoot, 'scripts', 'build.mjs')])
if (built.code !== 0) {
  process.stderr.write(built.stdout + built.stderr)
  process.exit(built.code)
}
rmSync(store, { recursive: true, force: true })
rmSync(join(folder, 'reports'), { recursive: true, force: true })
if (consent.length > 0) say('Nobody is at a terminal, so the one question is answered with yes.')

const child = start(['run', ...common, ...mind, ...(values.crash ? [] : consent), GOAL])
let code
if (values.crash) {
  const events = await inTheMiddle(child)
  child.kill('SIGKILL')
  await ended(child)
  say(`\nKilled with SIGKILL after event ${events} of its journal. Another process takes the run up:\n`)
  code = await ended(start(['runs', 'resume', 'last', ...common, ...mind, ...consent]))
} else code = await ended(child)

say('')
await ended(start(['runs', 'show', 'last', ...common]))
if (existsSync(report)) say(`\nThe report is in ${report.replace(`${repoRoot}/`, '')}`)
process.exitCode = code

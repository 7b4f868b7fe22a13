// npm run demo [-- --crash] [-- --model NAME] [-- --planner NAME] [-- --yes]: the analyst writes its report, with the
// research desk as a process of its own. At a terminal you are asked; otherwise the answers below are given.
// --crash kills the analyst with SIGKILL while the desk waits for an answer, then the desk; both come back and finish.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { openStore } from '@tenon/store'
import { startResearch } from './research/start.mjs'

const GOAL = 'Write a competitor report on Meridian Kinetics that follows our compliance rules.'
const SCOPE = 'China and the EU, since 2025-01-01'

const { values } = parseArgs({
  options: {
    crash: { type: 'boolean', default: false },
    model: { type: 'string' },
    planner: { type: 'string' },
    yes: { type: 'boolean', default: false },
  },
})
const here = import.meta.dirname
const tenon = join(here, '..', '..', 'packages', 'tenon', 'bin', 'tenon.js')
const report = join('reports', 'meridian-kinetics.pdf')
const mind = ['--rehearsal', 'rehearsal.yaml', ...(values.model ? ['--model', values.model] : [])]
const plan = values.planner ? ['--planner', values.planner] : []
const asked = process.stdin.isTTY && process.stdout.isTTY && !values.yes && !values.crash

/** @param {string} line */
const say = (line) => console.log(process.stdout.isTTY ? styleText('bold', line) : line)

/** The command that is at work. @type {import('node:child_process').ChildProcess | undefined} */
let working

/** @param {readonly string[]} args @param {string} url where the research desk is */
function start(args, url) {
  say(`$ tenon ${args.map((arg) => (/[\s*?]/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')}`)
  const env = { ...process.env, TENON_STORE: join(here, '.tenon'), RESEARCH_URL: url }
  working = spawn(process.execPath, [tenon, ...args], { cwd: here, env, stdio: 'inherit' })
  return working
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ended = (child) => new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))

/** @param {readonly string[]} args @param {string} url */
const run = (args, url) => ended(start(args, url))

/** Waits until the analyst's journal holds the question of the desk. @param {import('node:child_process').ChildProcess} child */
async function questionOf(child) {
  while (child.exitCode === null) {
    await pause(20)
    if (!existsSync(join(here, '.tenon'))) continue
    const store = openStore({ dir: join(here, '.tenon') })
    try {
      const [last] = store.runs.list({ limit: 1 }).runs
      const events = last === undefined ? [] : store.journal.load(last.runId)
      if (events.some((event) => event.kind === 'input-requested' && event.request.kind === 'question')) return
    } finally {
      store.close()
    }
  }
}

for (const left of ['.tenon', 'reports', 'research/.tenon']) rmSync(join(here, left), { recursive: true, force: true })
let desk = await startResearch(values.model === undefined ? {} : { model: values.model })
say(`The research desk is another project in another process: ${desk.url}, process ${desk.pid}`)
// Ctrl-C reaches everything that was started here; these reach this process alone, and it takes the rest along.
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
  process.once(signal, async () => {
    working?.kill(signal)
    await desk.close()
    process.exit(128 + constants.signals[signal])
  })
let code = 1
try {
  const goal = ['run', GOAL, ...mind, ...plan]
  if (asked) code = await run(goal, desk.url)
  else if (!values.crash) code = await run([...goal, '--yes'], desk.url)
  else {
    const analyst = start([...goal, '--yes', '--stay'], desk.url)
    await questionOf(analyst)
    analyst.kill('SIGKILL')
    await ended(analyst)
    await desk.kill()
    say('\nThe desk waits for an answer. The analyst was killed with SIGKILL, then the desk. Both come back:\n')
    desk = await startResearch({ port: new URL(desk.url).port, ...(values.model ? { model: values.model } : {}) })
    code = 3
  }
  // A language model may ask more than once.
  for (let times = 0; !asked && code === 3 && times < 3; times++) {
    say('\nNobody is asked here, so the scope is given:')
    await run(['runs', 'answer', 'last', '--leave', '--text', SCOPE], desk.url)
    code = await run(['runs', 'resume', 'last', '--yes', ...mind], desk.url)
  }
  say('')
  await run(['runs', 'show', 'last', '--steps'], desk.url)
} finally {
  await desk.close()
}
if (existsSync(join(here, report))) say(`\nThe report is in examples/competitor-report/${report}`)
process.exitCode = code

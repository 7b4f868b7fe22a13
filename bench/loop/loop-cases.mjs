import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const peers = join(here, '..', 'peers')

/** Only LangGraph among the peers keeps a run while it goes; the floor is a loop by hand with the same commits. */
const SUBJECTS = [
  { name: 'tenon', module: join(here, 'tenon.mjs'), journals: ['memory', 'sqlite'] },
  { name: 'hand-written', module: join(here, 'hand-written.mjs'), journals: ['memory', 'sqlite'] },
  { name: 'pi-agent-core', module: join(peers, 'pi-agent-core.mjs'), journals: ['memory'] },
  { name: 'ai-sdk', module: join(peers, 'ai-sdk.mjs'), journals: ['memory'] },
  { name: 'langgraph', module: join(peers, 'langgraph.mjs'), journals: ['memory', 'sqlite'] },
]

const CASES = [
  { name: 'react-10-memory', journal: 'memory', steps: 10, parallel: 1, unit: 'µs/step' },
  { name: 'react-1000-memory', journal: 'memory', steps: 1_000, parallel: 1, unit: 'µs/step' },
  { name: 'react-10000-memory', journal: 'memory', steps: 10_000, parallel: 1, unit: 'µs/step' },
  { name: 'react-10-sqlite', journal: 'sqlite', steps: 10, parallel: 1, unit: 'µs/step' },
  { name: 'parallel-50', journal: 'memory', steps: 1, parallel: 50, unit: 'ms' },
  { name: 'parallel-1000', journal: 'memory', steps: 1, parallel: 1_000, unit: 'ms' },
]

export const LOOP_CASES = CASES.map(({ name }) => name)

/** A subject that needs longer for a run and its warm-up is passed over. */
const PATIENCE_MS = 60_000

/** @type {import('../bench-contract.mjs').Bench} */
export async function loopCases({ rounds, wanted, report, note }) {
  for (const { name, journal, steps, parallel, unit } of CASES) {
    if (!wanted(name)) continue
    const subjects = SUBJECTS.filter((subject) => subject.journals.includes(journal))
    const results = new Map(subjects.map((subject) => [subject.name, /** @type {number[]} */ ([])]))
    // Round by round over all subjects, so that what else the machine does hits everybody.
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of subjects) {
        const times = results.get(subject.name)
        if (!times || times.length < round) continue
        try {
          times.push(await measure({ module: subject.module, journal, steps, parallel, milliseconds: 1_000 }))
        } catch (error) {
          note(`${name}: ${subject.name} was not measured: ${error instanceof Error ? error.message : error}`)
        }
      }
    }
    for (const [subject, times] of results) {
      if (times.length === 0) continue
      const scale = unit === 'ms' ? 1 : 1_000 / steps
      report({ case: name, subject, value: Math.min(...times) * scale, unit, worst: Math.max(...times) * scale })
    }
  }
}

/** @param {object} workload @returns {Promise<number>} milliseconds of a run */
function measure(workload) {
  return new Promise((resolve, reject) => {
    const script = join(here, 'measure-loop.mjs')
    const child = spawn(process.execPath, ['--no-warnings', '--expose-gc', script, JSON.stringify(workload)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    let out = ''
    let errors = ''
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      errors += text
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal) reject(new Error(`more than ${PATIENCE_MS / 1_000} s for a run and its warm-up`))
      else if (code !== 0) reject(new Error(errors.trim().split('\n').slice(0, 8).join('\n')))
      else resolve(JSON.parse(out).value)
    })
  })
}

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = join(dirname(fileURLToPath(import.meta.url)), 'measure-many-runs.mjs')
const RUNS = 10_000

const CASES = ['list-10000-runs', 'resume-1-of-10000', 'parked-run-memory']

/**
 * A store with ten thousand runs that wait for a person. No peer keeps a list of runs.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function manyRuns({ rounds, wanted, report }) {
  if (!CASES.some(wanted)) return
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  try {
    const { bytesPerParkedRun } = await phase('fill', folder, 0)
    /** @type {number[]} */
    const lists = []
    /** @type {number[]} */
    const resumes = []
    for (let round = 0; round < rounds; round += 1) {
      const { list, resume } = await phase('use', folder, round)
      lists.push(list)
      resumes.push(resume)
    }
    const tenon = { subject: 'tenon' }
    /** @param {string} name @param {number[]} times */
    const times = (name, times) => {
      if (!wanted(name)) return
      report({ case: name, ...tenon, value: Math.min(...times), unit: 'ms', worst: Math.max(...times) })
    }
    times('list-10000-runs', lists)
    times('resume-1-of-10000', resumes)
    if (wanted('parked-run-memory')) {
      report({ case: 'parked-run-memory', ...tenon, value: Math.max(0, bytesPerParkedRun), unit: 'bytes/run' })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {'fill' | 'use'} phase
 * @param {string} folder
 * @param {number} round each resumes other runs
 */
async function phase(phase, folder, round) {
  const job = JSON.stringify({ phase, folder, runs: RUNS, round })
  const { stdout } = await run(process.execPath, ['--no-warnings', '--expose-gc', script, job], { timeout: 300_000 })
  return JSON.parse(stdout)
}

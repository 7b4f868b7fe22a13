import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNode } from '../../scripts/run-node.mjs'
import { makeSkills } from './many-skills.mjs'

const COUNT = 3_000
const MEASURE = new URL('./measure-skills.mjs', import.meta.url).pathname

/** The numbers that come of one process: which case, under which key, in which unit. @type {[string, string, string][]} */
const CASES = [
  ['load-3000-cold', 'cold', 'ms'],
  ['load-3000-warm', 'warm', 'ms'],
  ['reload-1-of-3000', 'reload', 'ms'],
  ['search-recall-at-5', 'recall', 'share'],
  ['catalogue-of-3000', 'tokens', 'tokens'],
]

/** Loads 3,000 skills in a fresh process each round. @param {import('../bench-contract.mjs').BenchOptions} options */
export async function loadAndSearch({ rounds, wanted, report, note }) {
  const asked = CASES.filter(([name]) => wanted(name))
  if (asked.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-skills-'))
  try {
    makeSkills(folder, COUNT)
    /** @type {Record<string, number>[]} */
    const measured = []
    for (let round = 0; round < rounds; round += 1) {
      const { code, stdout, stderr } = await runNode([MEASURE, folder])
      if (code !== 0) throw new Error(stderr)
      const values = JSON.parse(stdout)
      if (values.count !== COUNT) throw new Error(`${values.count} of ${COUNT} skills were found`)
      if (round === 0) for (const query of values.missed) note(`not among the first five: ${query}`)
      measured.push(values)
    }
    for (const [name, key, unit] of asked) {
      const values = measured.map((one) => one[key] ?? Number.NaN)
      const [best, worst] = [Math.min(...values), Math.max(...values)]
      report({ case: name, subject: 'tenon', value: best, unit, ...(unit === 'ms' ? { worst } : {}) })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

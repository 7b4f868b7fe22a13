// `npm run bench -- NAME --json | node scripts/bench-table.mjs [PAGE]`: writes what a bench printed as a table between
// its marks in docs/benchmarks.md, under a heading of its own where it has none yet.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { binPath, repoRoot, runNode } from './run-node.mjs'

/** @typedef {{ bench: string, case: string, subject: string, value: number, unit: string }} Figure */

const page = process.argv[2] ?? join(repoRoot, 'docs', 'benchmarks.md')
const printed = await text(process.stdin)
/** @type {Figure[]} */
const figures = printed
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
const [first] = figures
if (first === undefined) {
  console.error('Nothing was measured: pipe `npm run bench -- NAME --json` into this.')
  process.exit(2)
}

const subjects = [...new Set(figures.map(({ subject }) => subject))]
const cases = [...new Map(figures.map((figure) => [`${figure.case}, ${figure.unit}`, figure])).values()]
/** @param {Figure} row @param {string} subject */
const cell = (row, subject) => {
  const found = figures.find((one) => one.case === row.case && one.unit === row.unit && one.subject === subject)
  return found === undefined ? '' : found.value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
const lines = [
  `${process.version} on ${process.platform} ${process.arch}, ${cpus().length} cores.`,
  '',
  `| case | unit | ${subjects.join(' | ')} |`,
  `| --- | --- | ${subjects.map(() => '---:').join(' | ')} |`,
  ...cases.map((row) => `| \`${row.case}\` | ${row.unit} | ${subjects.map((one) => cell(row, one)).join(' | ')} |`),
]
const begin = `<!-- ${first.bench}: begin -->`
const end = `<!-- ${first.bench}: end -->`
const table = `${begin}\n\n${lines.join('\n')}\n\n${end}`
const before = readFileSync(page, 'utf8')
const from = before.indexOf(begin)
const to = before.indexOf(end)
const after =
  from < 0 || to < from
    ? `${before.trimEnd()}\n\n## ${first.bench}\n\n${table}\n`
    : before.slice(0, from) + table + before.slice(to + end.length)
writeFileSync(page, after)
await runNode([binPath('@biomejs/biome', 'biome'), 'format', '--write', page])

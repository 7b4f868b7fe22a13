// `npm run bench -- NAME [--json] [--case CASE] [--rounds N]`: numbers side by side with peers, all measured in one run.
// With --json one object a line: `{ bench, case, subject, value, unit }`.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { installPeers } from './install-peers.mjs'
import { repoRoot, runNode } from './run-node.mjs'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    case: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
  },
})

const benches = join(repoRoot, 'bench')
const names = readdirSync(benches).filter((name) => existsSync(join(benches, name, 'bench.mjs')))
const name = positionals[0] ?? ''
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join('|')} [--json] [--case CASE] [--rounds N]`)
  process.exit(2)
}

const built = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'])
if (built.code !== 0) {
  process.stderr.write(built.stdout + built.stderr)
  process.exit(1)
}
/** @param {string} name */
const wanted = (name) => flags.case === undefined || flags.case.includes(name)
/** @type {{ bench: import('../bench/bench-contract.mjs').Bench, needsPeers(asked: typeof wanted): boolean }} */
const { bench, needsPeers } = await import(pathToFileURL(join(benches, name, 'bench.mjs')).href)
if (needsPeers(wanted)) await installPeers()
// Every node that inherits one of these pays for it at its start, a file of certificates with 50 ms: no subject's cost.
for (const variable of Object.keys(process.env)) if (variable.startsWith('NODE_')) delete process.env[variable]

let current = ''
await bench({
  rounds: Number(flags.rounds),
  wanted,
  report(row) {
    if (flags.json) {
      const { subject, value, unit } = row
      console.log(JSON.stringify({ bench: name, case: row.case, subject, value, unit }))
      return
    }
    if (row.case !== current) console.log(`\n${row.case}`)
    current = row.case
    const noise = row.worst === undefined ? '' : `  (worst round ${round(row.worst)})`
    console.log(`  ${row.subject.padEnd(22)} ${String(round(row.value)).padStart(10)} ${row.unit}${noise}`)
  },
  note(text) {
    // Standard error, so that --json stays one object a line.
    console.error(`  ${text}`)
  },
})

/** Three digits are more than the noise allows. @param {number} value */
function round(value) {
  return Number(value.toPrecision(3))
}

// `node scripts/sandbox-table.mjs`: runs the escape suite in every backend on this machine and writes what it found
// between the marks in docs/sandbox.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { ATTACKS } from '../packages/skills/dist/escapes/attack-list.js'
import { runAttacks } from '../packages/skills/dist/escapes/run-attacks.js'
import { sandboxes } from '../packages/skills/dist/sandbox/choose-sandbox.js'
import { binPath, repoRoot, runNode } from './run-node.mjs'

const BEGIN = '<!-- escape suite: begin -->'
const END = '<!-- escape suite: end -->'

/** @type {Map<string, string[]>} */
const cells = new Map(ATTACKS.map(({ name }) => [name, []]))
/** @type {string[]} */
const heads = []
for (const sandbox of sandboxes()) {
  const probe = await sandbox.probe()
  if (!probe.usable) {
    console.error(`${sandbox.name} is left out: ${probe.reason}`)
    process.exit(1)
  }
  heads.push(sandbox.name)
  const tried = ATTACKS.filter(({ harmful }) => sandbox.name !== 'unconfined' || !harmful)
  const outcomes = await runAttacks(sandbox, tried)
  for (const { name } of ATTACKS) {
    const outcome = outcomes.find(({ attack }) => attack.name === name)
    const untried = tried.some((attack) => attack.name === name) ? '–' : '(not tried)'
    cells.get(name)?.push(outcome === undefined ? untried : outcome.blocked ? 'blocked' : '**not blocked**')
  }
}

const lines = [
  `Linux ${release().split('-')[0]}, ${process.arch}, host user ${process.getuid?.() === 0 ? 'root' : 'unprivileged'}.`,
  '',
  `| attack | ${heads.join(' | ')} |`,
  `| --- | ${heads.map(() => '---').join(' | ')} |`,
  ...ATTACKS.map(({ name }) => `| ${name} | ${cells.get(name)?.join(' | ')} |`),
]
const file = join(repoRoot, 'docs', 'sandbox.md')
const page = readFileSync(file, 'utf8')
const [before = '', rest = ''] = page.split(BEGIN)
const after = rest.split(END)[1] ?? ''
writeFileSync(file, `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`)
await runNode([binPath('@biomejs/biome', 'biome'), 'format', '--write', file])
console.log(`wrote ${ATTACKS.length} rows for ${heads.join(', ')}`)

// npm run crash [-- --every N]: SIGKILL before and after every append to the journal and inside every effect.
// LangGraph.js with its SQLite saver on the same kind of scenario beside it, where the peers are installed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killEverywhere } from './crash/kill-everywhere.mjs'
import { repoRoot, runNode } from './run-node.mjs'

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, 'no-peer': { type: 'boolean', default: false } },
})
await runNode([join(repoRoot, 'scripts', 'build.mjs')])

const tty = process.stderr.isTTY
const result = await killEverywhere({
  step: Number(values.every),
  onPoint: (done, of) => tty && process.stderr.write(`\r${done} of ${of} kill points`),
})
if (tty) process.stderr.write('\r')
for (const { where, lost, doubled, stuck, stderr } of result.failures) {
  console.log(
    `killed at ${where}: ${[lost.length && `lost ${lost}`, doubled.length && `doubled ${doubled}`, stuck && 'stuck'].filter(Boolean).join(', ')}`,
  )
  if (stderr) console.log(stderr.trim())
}
const peers = join(repoRoot, 'bench', 'peers')
if (!values['no-peer'] && existsSync(join(peers, 'node_modules')))
  await runNode([join(peers, 'crash-langgraph.mjs')], { show: true })
console.log(`${result.points} kill points, ${result.lost} lost, ${result.doubled} doubled, ${result.stuck} stuck`)
process.exitCode = result.failures.length === 0 ? 0 : 1

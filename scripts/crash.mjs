// npm run crash [-- --every N]: SIGKILL before and after every append to the journal and inside every effect.
// LangGraph.js with its SQLite saver on the same kind of scenario beside it, where the peers of the benches are installed;
// --peer installs them, --no-peer leaves it out.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killEverywhere } from './crash/kill-everywhere.mjs'
import { installPeers, peersFolder, peersInstalled } from './install-peers.mjs'
import { repoRoot, runNode } from './run-node.mjs'

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, peer: { type: 'boolean' } },
  allowNegative: true,
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
if (values.peer) await installPeers()
if (values.peer !== false) {
  if (peersInstalled()) await runNode([join(peersFolder, 'crash-langgraph.mjs')], { show: true })
  else console.log('LangGraph.js beside it: npm run crash -- --peer')
}
console.log(`${result.points} kill points, ${result.lost} lost, ${result.doubled} doubled, ${result.stuck} stuck`)
process.exitCode = result.failures.length === 0 ? 0 : 1

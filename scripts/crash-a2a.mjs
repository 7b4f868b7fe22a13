// npm run crash:a2a [-- --every N]: two A2A servers on one store, SIGKILL of the one that works before and after every
// event while a client streams and a webhook listens; then of one that is given a message; then a paused task over
// restarts, and cancel across processes.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot, runNode } from './run-node.mjs'

const { values } = parseArgs({ options: { every: { type: 'string', default: '1' } } })
const built = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'])
if (built.code !== 0) {
  process.stderr.write(built.stdout + built.stderr)
  process.exit(1)
}
const { killTheServerEverywhere } = await import('./crash-a2a/kill-the-server-everywhere.mjs')
const { messagesUnderFire } = await import('./crash-a2a/messages-under-fire.mjs')
const { acrossProcesses } = await import('./crash-a2a/across-processes.mjs')

const tty = process.stderr.isTTY
const { points, failures } = await killTheServerEverywhere({
  step: Number(values.every),
  onPoint: (done, of) => tty && process.stderr.write(`\r${done} of ${of} kill points`),
})
if (tty) process.stderr.write('\r')
const messages = await messagesUnderFire({ step: Number(values.every) })
for (const { at, problems } of [...failures, ...messages.failures])
  console.log(`killed at ${at}: ${problems.join('; ')}`)
const others = await acrossProcesses()
for (const problem of others) console.log(problem)
const lost = failures.length + messages.failures.length
console.log(
  `${points + messages.points} kill points, ${lost} with something lost or doubled; ${others.length} problems across processes`,
)
process.exitCode = lost + others.length === 0 && points > 0 && messages.points > 0 ? 0 : 1

import { SkillsError } from '../errors.js'
import type { Backend } from './backend.js'
import { V8_OVERHEAD } from './limits.js'
import { openNetworkGate } from './network-gate.js'
import type { SandboxJob } from './sandbox.js'
import { stageFolder } from './stage-folder.js'

/** A job that can get out by a gate, and what to do when it is over. */
export type GatedJob = {
  readonly job: SandboxJob
  /** What it asked for in vain, in sentences. */
  readonly notes: () => readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Inside, a job without network has a loopback interface of its own. What listens there hands every connection to the
 * gate, whose socket lies in a folder; the job is told by the variables that HTTP clients know.
 */
const RELAY = `
const net = require('node:net'), { spawn } = require('node:child_process'), { constants } = require('node:os')
const [gate, file, ...args] = process.argv.slice(1)
const server = net.createServer((from) => {
  const to = net.connect(gate)
  from.pipe(to).pipe(from)
  from.on('error', () => to.destroy())
  to.on('error', () => from.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const at = 'http://127.0.0.1:' + server.address().port
  const proxies = Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [[name, at], [name.toLowerCase(), at]]))
  const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1' } })
  child.on('error', () => process.exit(127))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
})
`

/** @throws SkillsError `sandbox-cannot-grant` where the backend has no network of its own to put a gate into */
export async function gatedJob(
  job: SandboxJob,
  { name, network: way }: Pick<Backend, 'name' | 'network'>,
): Promise<GatedJob> {
  const { network = [] } = job
  if (network.length === 0 || way === 'listed') return { job, notes: () => [], close: async () => {} }
  if (way === 'closed')
    throw new SkillsError(
      'sandbox-cannot-grant',
      `The network was granted (${network.join(', ')}), and the sandbox ${name} can only close it altogether. Nothing was run. Install bubblewrap, or fetch what is needed first and hand it over as a file.`,
    )
  const stage = stageFolder('gate')
  const gate = await openNetworkGate(`${stage.at('gate')}/socket`, network)
  return {
    job: {
      ...job,
      folders: {
        ...job.folders,
        gate: { path: stage.at('gate'), access: 'read', staged: true },
        relay: { path: process.execPath, access: 'read', keepPath: true },
      },
      launch(at) {
        const launch = job.launch(at)
        return { ...launch, command: [process.execPath, '-e', RELAY, `${at('gate')}/socket`, ...launch.command] }
      },
      limits: { ...job.limits, overhead: V8_OVERHEAD },
    },
    notes: () => [
      `Reached by a proxy only: ${network.join(', ')}.`,
      ...[...gate.refused].map((host) => `${host} was asked for and refused.`),
    ],
    async close() {
      await gate.close()
      stage.remove()
    },
  }
}

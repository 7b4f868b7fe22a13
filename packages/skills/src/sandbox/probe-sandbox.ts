import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { SANDBOX_LIMITS, V8_OVERHEAD } from './limits.js'
import { type ProbeFacts, plantedBy, probeProgram } from './probe-program.js'
import type { SandboxJob, SandboxResult } from './sandbox.js'
import { stageFolder } from './stage-folder.js'

type Outcome = Omit<SandboxResult, 'isolation'>

/** Runs the probe by `run` and tells what it found, or why it did not work. */
export async function probeSandbox(run: (job: SandboxJob) => Promise<Outcome>): Promise<ProbeFacts | string> {
  const stage = stageFolder('work')
  const canary = stage.at('canary')
  const abstract = `tenon-probe-${randomUUID()}`
  const servers: Server[] = []
  try {
    writeFileSync(canary, 'canary')
    const tcp = await listening(servers, { host: '127.0.0.1', port: 0 })
    await listening(servers, { path: `\0${abstract}` })
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const program = probeProgram({ canary, port, abstract, hostPid: process.pid })
    const result = await run({
      folders: {
        work: { path: stage.at('work'), access: 'write', staged: true },
        node: { path: process.execPath, access: 'read', keepPath: true },
      },
      home: 'work',
      launch: (at) => ({ command: [process.execPath, '-e', program], cwd: at('work') }),
      limits: { ...SANDBOX_LIMITS, wallMs: 20_000, overhead: V8_OVERHEAD },
    })
    const facts = read(result)
    return typeof facts === 'string' ? facts : { ...facts, writesOutside: existsSync(plantedBy({ canary })) }
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'it failed without a reason'
  } finally {
    for (const server of servers) server.close()
    stage.remove()
  }
}

function read({ end, exitCode, signal, stdout, stderr }: Outcome): Omit<ProbeFacts, 'writesOutside'> | string {
  if (end !== 'exited' || exitCode !== 0)
    return `a program in it ended with ${signal ?? exitCode ?? end}: ${stderr.text.trim().split('\n').at(-1) ?? ''}`
  const facts: Omit<ProbeFacts, 'writesOutside'> = JSON.parse(stdout.text)
  return facts.writesWork ? facts : 'a program in it cannot write to its own folder'
}

function listening(servers: Server[], at: { host: string; port: number } | { path: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    servers.push(server)
    server.once('error', reject)
    server.listen(at, () => resolve(server))
    server.unref()
  })
}

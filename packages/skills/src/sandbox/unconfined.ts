import type { Backend, Prepared } from './backend.js'
import { confiningSandbox } from './confining-sandbox.js'
import { jobEnvironment } from './job-environment.js'
import type { Sandbox, SandboxJob } from './sandbox.js'
import { killGroup } from './signal-group.js'

/** No sandbox: a clean environment, bounds of time and output, and nothing else. Used only where a policy says `none`. */
export const unconfined = (): Sandbox => confiningSandbox(UNCONFINED)

const UNCONFINED: Backend = {
  name: 'unconfined',
  runs: 'any program',
  remedy: '',
  missing: () => undefined,
  network: 'closed',
  prepare,
}

function prepare(job: SandboxJob): Prepared {
  const at = (name: string): string => job.folders[name]?.path ?? name
  const { command, cwd, env } = job.launch(at)
  const [file, ...args] = command
  return {
    start: {
      file,
      args,
      cwd,
      env: jobEnvironment(env, at(job.home), at(job.home)),
      kill: killGroup,
      startFailure: () => undefined,
    },
    user: process.getuid?.() === 0 ? 'root' : 'the host user',
    limits: { memory: 'none', processes: 'none', cpu: 'none', fileSize: 'none', disk: 'watched' },
    notes: ['A process that leaves its group outlives the job.'],
  }
}

import { basename } from 'node:path'
import { SkillsError } from '../errors.js'
import type { Backend, Prepared } from './backend.js'
import { confiningSandbox } from './confining-sandbox.js'
import { insidePath } from './inside-path.js'
import { jobEnvironment } from './job-environment.js'
import { launcherFailure } from './launcher-failure.js'
import { launcherPath } from './launcher-path.js'
import type { SandboxLimits } from './limits.js'
import type { QuickjsOrder } from './quickjs-order.js'
import { ownUser } from './run-user.js'
import type { Sandbox, SandboxJob } from './sandbox.js'
import { killGroup } from './signal-group.js'

/**
 * JavaScript only: an engine compiled to WebAssembly, in a process of its own, works wherever Node does. There is nothing
 * in it but the language and the job's files by a table, so nothing has to be taken away. What of Node's API it has is in
 * the folder `guest`.
 */
export const quickjs = (): Sandbox => confiningSandbox(QUICKJS)

const QUICKJS: Backend = {
  name: 'quickjs',
  runs: 'javascript',
  remedy: '',
  network: 'closed',
  missing: () => undefined,
  prepare,
}

/** What the launcher itself takes, in megabytes. What comes out of the job is there for a moment once more. */
const LAUNCHER_HEAP = 64
const heapOf = ({ memory }: SandboxLimits): number => LAUNCHER_HEAP + Math.ceil(memory / 1024 / 1024)

function prepare(job: SandboxJob): Prepared {
  const uid = ownUser(Object.values(job.folders))
  const order = { ...orderFor(job), ...(uid === undefined ? {} : { uid }) }
  return {
    start: {
      file: process.execPath,
      args: ['--no-warnings', `--max-old-space-size=${heapOf(job.limits)}`, launcherPath('quickjs-launcher.js')],
      env: {},
      handed: [Buffer.from(JSON.stringify(order))],
      kill: killGroup,
      startFailure: launcherFailure,
    },
    user: uid !== undefined ? 'unprivileged' : process.getuid?.() === 0 ? 'root' : 'the host user',
    limits: {
      memory: 'whole job',
      processes: 'whole job',
      cpu: 'each process',
      fileSize: 'each file',
      disk: 'watched',
    },
    notes: ['JavaScript in an engine of its own: no other program can be started, and the system does not confine it.'],
  }
}

function orderFor(job: SandboxJob): QuickjsOrder {
  const at = (name: string): string => insidePath(name, job.folders[name])
  const { command, cwd, env } = job.launch(at)
  const { memory, cpuSeconds, fileSize } = job.limits
  return {
    files: Object.entries(job.folders).map(([name, { path, access, hidden = [], readOnly = [] }]) => ({
      at: at(name),
      path,
      writable: access === 'write',
      hidden,
      readOnly,
    })),
    ...programOf(command),
    cwd,
    env: jobEnvironment(env, at(job.home), at(job.home)),
    memory,
    cpuSeconds,
    fileSize,
  }
}

/** A command that would start Node; options of Node mean nothing here. */
function programOf([program, ...words]: readonly [string, ...string[]]): Pick<QuickjsOrder, 'program' | 'args'> {
  if (!/^node(?:\.exe)?$/.test(basename(program)) && program !== process.execPath)
    throw new SkillsError('sandbox-failed', `The sandbox quickjs runs JavaScript only, and no ${basename(program)}.`)
  const first = words.findIndex((word) => !word.startsWith('-') || word === '-e')
  const [word = '', ...rest] = words.slice(first)
  if (word !== '-e') return { program: { file: word }, args: [word, ...rest] }
  const [text = '', ...args] = rest
  return { program: { text }, args: ['[eval]', ...args] }
}

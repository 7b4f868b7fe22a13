import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Backend, Prepared } from './backend.js'
import { bwrapFailure } from './bubblewrap.js'
import { confiningSandbox } from './confining-sandbox.js'
import { type ControlGroup, controlGroup } from './control-group.js'
import type { Isolation } from './isolation.js'
import { jobEnvironment, SYSTEM_PATH } from './job-environment.js'
import { launcherFailure } from './launcher-failure.js'
import { launcherPath } from './launcher-path.js'
import type { SandboxLimits } from './limits.js'
import { ownUser } from './run-user.js'
import type { RuntimeOrder } from './runtime-order.js'
import type { Sandbox, SandboxFolder, SandboxJob } from './sandbox.js'
import { killGroup, signalGroup } from './signal-group.js'
import { stageFolder } from './stage-folder.js'
import { visibleSystem } from './visible-system.js'

/** The version that this backend was written and tried against; later ones need a later Node than our floor. */
const PACKAGE = '@anthropic-ai/sandbox-runtime'
const VERSION = '0.0.78'

/**
 * `@anthropic-ai/sandbox-runtime`, where it is installed: Seatbelt on macOS, bubblewrap with socat and ripgrep on Linux,
 * and a proxy that lets a list of hosts through. Paths inside are those outside. Each job has a launcher process, because
 * the runtime knows one list of hosts a process.
 */
export const sandboxRuntime = (): Sandbox => confiningSandbox(RUNTIME)

const RUNTIME: Backend = {
  name: 'sandbox-runtime',
  runs: 'any program',
  remedy: `It is to be had by "npm install ${PACKAGE}@${VERSION}" beside tenon; on Linux it needs bubblewrap, socat and ripgrep besides.`,
  network: 'listed',
  missing() {
    if (process.platform !== 'linux' && process.platform !== 'darwin') return 'it is used on Linux and macOS only'
    return library() === undefined ? `the package ${PACKAGE} is not installed` : undefined
  },
  prepare,
}

/** Found from here, so a package that is installed beside ours is found too. */
function library(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE)
  } catch {
    return undefined
  }
}

function prepare(job: SandboxJob): Prepared {
  const entry = library() ?? ''
  const packageFolder: SandboxFolder = { path: dirname(dirname(entry)), access: 'read' }
  // What the runtime lays down for itself goes away with this, also when it was killed.
  const stage = stageFolder('runtime')
  const own: SandboxFolder = { path: stage.at('runtime'), access: 'write', staged: true }
  const uid = ownUser([...Object.values(job.folders), packageFolder, own])
  const asRoot = uid === undefined && process.getuid?.() === 0
  const order = orderFor(job, entry, uid)
  const group = controlGroup(job.limits, uid === undefined ? ['memory', 'pids'] : ['memory'])
  const refused: string[] = []
  return {
    start: {
      file: process.execPath,
      args: ['--no-warnings', launcherPath('runtime-launcher.js')],
      env: { PATH: SYSTEM_PATH, HOME: own.path, TMPDIR: own.path },
      cwd: '/',
      handed: [Buffer.from(JSON.stringify(order)), (text) => refused.push(text)],
      kill(child) {
        // The launcher ends the job and tidies up; what is left of it then is left by nobody.
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
        else killGroup(child)
      },
      dying: ({ pid }) => signalGroup(pid, 0),
      startFailure: (code, stderr) => launcherFailure(code, stderr) ?? bwrapFailure(code, stderr),
    },
    user: asRoot ? 'root' : uid === undefined ? 'the host user' : 'unprivileged',
    limits: limitsOf(group, asRoot),
    get notes() {
      return notesOf(job, refused.join(''))
    },
    group,
    release: () => stage.remove(),
  }
}

function orderFor(job: SandboxJob, entry: string, uid: number | undefined): RuntimeOrder {
  const { folders, limits, network = [] } = job
  const at = (name: string): string => folders[name]?.path ?? `/${name}`
  const { command, cwd, env } = job.launch(at)
  const all = Object.values(folders)
  const closed = (which: 'hidden' | 'readOnly'): readonly string[] =>
    all.flatMap((folder) =>
      (folder[which] ?? []).map((name) => join(folder.path, name)).filter((path) => existsSync(path)),
    )
  return {
    library: entry,
    readable: [...visibleSystem().map(({ path }) => path), ...devices(), ...all.map(({ path }) => path)],
    unreadable: closed('hidden'),
    writable: all.flatMap(({ path, access }) => (access === 'write' ? [path] : [])),
    unwritable: [...closed('hidden'), ...closed('readOnly')],
    hosts: network.flatMap((entry) => (/:\d+$/.test(entry) ? [entry] : [`${entry}:80`, `${entry}:443`])),
    cwd,
    command,
    env: jobEnvironment(env, at(job.home), at(job.home)),
    ...(uid === undefined ? {} : { uid }),
    limits: ulimits(limits),
  }
}

/** On Linux a job has devices of its own; on macOS the host's are closed with everything else. */
const devices = (): readonly string[] =>
  process.platform === 'darwin' ? DEVICES.filter((path) => existsSync(path)) : []

const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/fd', '/dev/dtracehelper']

/** In the units of bash: kilobytes for sizes. macOS does not keep a limit on addresses. */
const ulimits = (limits: SandboxLimits): RuntimeOrder['limits'] => [
  ['c', 0],
  ['t', limits.cpuSeconds],
  ['f', Math.ceil(limits.fileSize / 1024)],
  ['n', limits.openFiles],
  ...(process.platform === 'darwin'
    ? []
    : ([
        ['u', limits.processes],
        ['d', Math.ceil((limits.memory + limits.overhead.writable) / 1024)],
        ['v', Math.ceil((limits.memory + limits.overhead.addresses) / 1024)],
      ] as const)),
]

function limitsOf(group: ControlGroup | undefined, asRoot: boolean): Isolation['limits'] {
  const onMac = process.platform === 'darwin'
  return {
    memory: group !== undefined ? 'whole job' : onMac ? 'none' : 'each process',
    processes: group !== undefined || !(onMac || asRoot) ? 'whole job' : 'none',
    cpu: 'each process',
    fileSize: 'each file',
    disk: 'watched',
  }
}

function notesOf({ network = [] }: SandboxJob, refused: string): readonly string[] {
  const hosts = [...new Set(refused.split('\n').filter((host) => host !== ''))]
  return [
    'System calls are not filtered but for unix sockets, and namespaces may be nested.',
    ...(network.length === 0 ? [] : [`Reached by a proxy only: ${network.join(', ')}.`]),
    ...hosts.map((host) => `${host} was asked for and refused.`),
    ...(process.platform === 'darwin' ? ['A process that leaves its group outlives the job.'] : []),
  ]
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SkillsError } from '../errors.js'
import type { Backend, Prepared } from './backend.js'
import { confiningSandbox } from './confining-sandbox.js'
import { controlGroup } from './control-group.js'
import { jobEnvironment, SYSTEM_PATH } from './job-environment.js'
import type { LandlockOrder } from './landlock-order.js'
import { LAUNCHER_FAILED, LAUNCHER_SAYS, launcherFailure } from './launcher-failure.js'
import { launcherPath } from './launcher-path.js'
import { RLIMIT } from './linux-limits.js'
import { ownUser } from './run-user.js'
import type { Sandbox, SandboxFolder, SandboxJob } from './sandbox.js'
import { isSeccompArchitecture, seccompFilter } from './seccomp-filter.js'
import { killGroup, signalGroup } from './signal-group.js'
import { AS_HOST_USER, EVERYWHERE, WITHOUT_NAMESPACES } from './syscall-policy.js'
import { visibleSystem } from './visible-system.js'

/** Read and written: they hold nothing of anybody. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']

/**
 * Landlock and a filter for system calls, set by a launcher that calls the kernel through `koffi`: nothing has to be
 * installed and no namespace is needed. Paths inside are those outside; without sockets there is no network.
 */
export const landlock = (): Sandbox => confiningSandbox(LANDLOCK)

const LANDLOCK: Backend = {
  name: 'landlock',
  runs: 'any program',
  remedy:
    'It needs Linux 6.12 or later with Landlock switched on (the kernel parameter "lsm=" lists it), on x86-64 or arm64.',
  network: 'closed',
  missing() {
    if (process.platform !== 'linux') return 'it exists on Linux only'
    return isSeccompArchitecture(process.arch) ? undefined : `there is no filter of system calls for ${process.arch}`
  },
  prepare,
}

function prepare(job: SandboxJob): Prepared {
  const { folders, limits } = job
  const at = (name: string): string => folders[name]?.path ?? `/${name}`
  const uid = ownUser(Object.values(folders))
  const asRoot = uid === undefined && process.getuid?.() === 0
  const { command, cwd, env } = job.launch(at)
  const [program, ...args] = command
  const system = visibleSystem().map(({ path }) => path)
  const order: LandlockOrder = {
    readable: [...system, ...readable(job)],
    listable: listable(job),
    writable: [...DEVICES.filter((path) => existsSync(path)), ...writable(job)],
    cwd,
    command: [onSystemPath(program), ...args],
    env: jobEnvironment(env, at(job.home), at(job.home)),
    ...(uid === undefined ? {} : { uid }),
    limits: [
      [RLIMIT.cpu, limits.cpuSeconds],
      [RLIMIT.fileSize, limits.fileSize],
      [RLIMIT.openFiles, limits.openFiles],
      [RLIMIT.core, 0],
      [RLIMIT.processes, limits.processes + (uid === undefined ? tasksOfUser() : 0)],
      // Last: the launcher itself has more addresses than this.
      [RLIMIT.data, limits.memory + limits.overhead.writable],
      [RLIMIT.addresses, limits.memory + limits.overhead.addresses],
    ],
    filter: Buffer.from(filterFor(uid !== undefined)).toString('base64'),
    koffi: koffiPath(),
    failure: { says: LAUNCHER_SAYS, exitCode: LAUNCHER_FAILED },
  }
  const group = controlGroup(limits, uid === undefined ? ['memory', 'pids'] : ['memory'])
  return {
    start: {
      file: process.execPath,
      args: ['--no-warnings', launcherPath('landlock-launcher.cjs')],
      env: {},
      handed: [Buffer.from(JSON.stringify(order))],
      // No process can leave the group, so the signal reaches all of them.
      kill: killGroup,
      dying: ({ pid }) => signalGroup(pid, 0),
      startFailure: launcherFailure,
    },
    user: asRoot ? 'root' : uid === undefined ? 'the host user' : 'unprivileged',
    limits: {
      memory: group === undefined ? 'each process' : 'whole job',
      processes: group !== undefined ? 'whole job' : asRoot ? 'none' : uid === undefined ? 'whole user' : 'whole job',
      cpu: 'each process',
      fileSize: 'each file',
      disk: 'watched',
    },
    notes: [
      'Names, sizes and times of files outside can be seen; what is in them cannot.',
      'Sockets of every kind are refused, also to the loopback address and within the job.',
      'Processes cannot leave their group (setsid fails).',
      ...(uid === undefined ? ['Changes of mode, owner and times by path are ignored.'] : []),
    ],
    group,
  }
}

const names = ({ path, hidden = [], readOnly = [] }: SandboxFolder): readonly string[] =>
  [...hidden, ...readOnly].filter((name) => existsSync(join(path, name)))

/** Rights hold for everything below and cannot be taken back there: a folder with hidden names is granted by its others. */
const readable = ({ folders }: SandboxJob): readonly string[] =>
  Object.values(folders).flatMap(({ path, access, hidden = [] }) => {
    if (access !== 'read') return []
    if (!hidden.some((name) => existsSync(join(path, name)))) return [path]
    return readdirSync(path).flatMap((name) => (hidden.includes(name) ? [] : [join(path, name)]))
  })

const listable = ({ folders }: SandboxJob): readonly string[] =>
  Object.values(folders).flatMap(({ path, access, hidden }) =>
    access === 'read' && hidden !== undefined && statSync(path).isDirectory() ? [path] : [],
  )

const writable = ({ folders }: SandboxJob): readonly string[] =>
  Object.entries(folders).flatMap(([name, folder]) => {
    if (folder.access !== 'write') return []
    const kept = names(folder)
    if (kept.length === 0) return [folder.path]
    throw new SkillsError(
      'sandbox-cannot-grant',
      `The sandbox landlock cannot keep ${kept.join(', ')} closed within a folder (${name}) that may be written to. Nothing was run. Install bubblewrap, or grant the folder for reading only.`,
    )
  })

function filterFor(ownUser: boolean): Uint8Array {
  const rules = [...EVERYWHERE, ...WITHOUT_NAMESPACES, ...(ownUser ? [] : AS_HOST_USER)]
  return isSeccompArchitecture(process.arch) ? seccompFilter(rules, process.arch) : new Uint8Array()
}

/** What koffi itself loads in the end: its way there takes a tenth of a start. */
function koffiPath(): string {
  const koffi = createRequire(import.meta.url).resolve('koffi')
  try {
    return createRequire(koffi).resolve(`@koromix/koffi-${process.platform}-${process.arch}`)
  } catch {
    return koffi
  }
}

function onSystemPath(program: string): string {
  if (program.includes('/')) return program
  const places = SYSTEM_PATH.split(':').map((place) => join(place, program))
  return places.find((path) => existsSync(path)) ?? program
}

/** Threads that the user has already: the kernel counts a limit on processes over all of them. */
function tasksOfUser(): number {
  const uid = process.getuid?.()
  let tasks = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === uid) tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1])
    } catch {
      // Ended meanwhile.
    }
  }
  return tasks
}

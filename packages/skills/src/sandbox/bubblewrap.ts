import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared } from './backend.js'
import { confiningSandbox } from './confining-sandbox.js'
import { controlGroup } from './control-group.js'
import { insidePath } from './inside-path.js'
import { jobEnvironment } from './job-environment.js'
import type { SandboxLimits } from './limits.js'
import { programOnPath } from './program-on-path.js'
import { ownUser } from './run-user.js'
import type { Sandbox, SandboxFolder, SandboxJob } from './sandbox.js'
import { isSeccompArchitecture, seccompFilter } from './seccomp-filter.js'
import { EVERYWHERE } from './syscall-policy.js'
import { visibleSystem } from './visible-system.js'

const TMP_BYTES = 64 * 1024 * 1024
/** The user inside, whoever it is outside. */
const INSIDE_USER = '1000'

/**
 * Linux namespaces by `bwrap`: a file tree of its own, no network, no other processes, no capabilities, a filter for
 * system calls, limits by `prlimit`. bwrap starts with an empty environment, because it stays in the sandbox as the
 * first process and its environment can be read there.
 */
export const bubblewrap = (): Sandbox =>
  confiningSandbox({ name: 'bubblewrap', runs: 'any program', remedy: REMEDY, missing, network: 'empty', prepare })

const REMEDY =
  'Install it with the system\'s package manager, for example "apt-get install bubblewrap". Where user namespaces are closed to users (Ubuntu 24.04 and later, some containers), allow them for bwrap by an AppArmor profile with "userns,".'

function missing(): string | undefined {
  if (process.platform !== 'linux') return 'it exists on Linux only'
  if (programOnPath('bwrap') === undefined) return 'bwrap is not installed'
  if (programOnPath('prlimit') === undefined) return 'prlimit (util-linux) is not installed'
  return isSeccompArchitecture(process.arch) ? undefined : `there is no filter of system calls for ${process.arch}`
}

function prepare(job: SandboxJob): Prepared {
  const uid = ownUser(Object.values(job.folders))
  const asRoot = uid === undefined && process.getuid?.() === 0
  const info: string[] = []
  const { options, command } = argumentsFor(job, asRoot)
  const group = controlGroup(job.limits, uid === undefined ? ['memory', 'pids'] : ['memory'])
  const filter = isSeccompArchitecture(process.arch) ? seccompFilter(EVERYWHERE, process.arch) : new Uint8Array()
  return {
    start: {
      file: programOnPath('bwrap') ?? 'bwrap',
      // Its options come by a pipe: granted secrets among them would stand in the list of processes otherwise.
      args: ['--args', String(OPTIONS_FD), '--', ...command],
      env: {},
      handed: [filter, (text) => info.push(text), Buffer.from(`${options.join('\0')}\0`)],
      ...(uid === undefined ? {} : { uid }),
      // The first process of the namespace dies with it, and everything else with the first.
      kill: (child) => child.kill('SIGKILL'),
      dying: () => isAlive(firstProcess(info.join(''))),
      startFailure: bwrapFailure,
    },
    user: asRoot ? 'root' : uid === undefined ? 'the host user' : 'unprivileged',
    limits: {
      memory: group === undefined ? 'each process' : 'whole job',
      processes: asRoot && group === undefined ? 'none' : 'whole job',
      cpu: 'each process',
      fileSize: 'each file',
      disk: 'watched',
    },
    notes: asRoot
      ? ['The host is root and a folder is open to root only, so the job runs as root without its powers.']
      : [],
    group,
  }
}

/** What bwrap said when it could not start a job; undefined where the job itself ended. */
export const bwrapFailure = (exitCode: number | null, stderr: string): string | undefined =>
  exitCode === 1 && stderr.startsWith('bwrap: ') ? stderr.trim() : undefined

const firstProcess = (info: string): number | undefined => {
  const pid = /"child-pid":\s*(\d+)/.exec(info)?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** It is gone after everything that it was the first of; what its parent has not looked at yet is gone as well. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !'ZX'.includes(stat[stat.lastIndexOf(')') + 2] ?? 'X')
  } catch {
    return false
  }
}

const FILTER_FD = 3
/** Where bwrap tells the number of the first process of the namespace. */
const INFO_FD = 4
const OPTIONS_FD = 5

/** What bwrap leaves writable for a job that runs as the host's root. */
const KERNEL_DOORS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/acpi', '/proc/asound']

type Arguments = { readonly options: readonly string[]; readonly command: readonly string[] }

function argumentsFor(job: SandboxJob, asRoot: boolean): Arguments {
  const at = (name: string): string => insidePath(name, job.folders[name])
  const { command, cwd, env } = job.launch(at)
  const options = [
    ...['--unshare-user', '--unshare-all', '--disable-userns', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL', '--uid', INSIDE_USER, '--gid', INSIDE_USER, '--hostname', 'sandbox', '--clearenv'],
    ...Object.entries(jobEnvironment(env, at(job.home), '/tmp')).flatMap(([name, value]) => ['--setenv', name, value]),
    ...visibleSystem().flatMap(({ path, linkTo }) =>
      linkTo === undefined ? ['--ro-bind', path, path] : ['--symlink', linkTo, path],
    ),
    ...['--proc', '/proc'],
    // Every mount is a look through all mounts, so none that is not needed.
    ...(asRoot ? KERNEL_DOORS : []).flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/dev/shm'],
    ...['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...Object.entries(job.folders).flatMap(([name, folder]) => mountOf(folder, at(name))),
    // Both are file systems in memory that a job could fill otherwise.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd, '--seccomp', String(FILTER_FD), '--info-fd', String(INFO_FD)],
  ]
  return {
    options,
    command: [programOnPath('prlimit') ?? 'prlimit', ...prlimitArguments(job.limits), '--', ...command],
  }
}

function mountOf({ path, access, hidden = [], readOnly = [] }: SandboxFolder, at: string): readonly string[] {
  const there = (names: readonly string[]) => names.filter((name) => existsSync(join(path, name)))
  return [
    ...[access === 'write' ? '--bind' : '--ro-bind', path, at],
    ...there(hidden).flatMap((name) => ['--size', '4096', '--tmpfs', `${at}/${name}`, '--remount-ro', `${at}/${name}`]),
    ...there(readOnly).flatMap((name) => ['--ro-bind', join(path, name), `${at}/${name}`]),
  ]
}

const prlimitArguments = (limits: SandboxLimits): readonly string[] => [
  `--as=${limits.memory + limits.overhead.addresses}`,
  `--data=${limits.memory + limits.overhead.writable}`,
  `--cpu=${limits.cpuSeconds}`,
  `--nproc=${limits.processes}`,
  `--fsize=${limits.fileSize}`,
  `--nofile=${limits.openFiles}`,
  '--core=0',
]

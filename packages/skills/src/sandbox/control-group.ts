import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxLimits } from './limits.js'
import type { ConfinedStart } from './run-confined.js'
import { doorForOneself, doorForOthers, type GroupDoor } from './start-in-group.js'

/** A control group for one job: its memory and its processes are limited as a whole. */
export type ControlGroup = {
  /** The start of a process that does nothing outside of the group, and fails when it cannot get in. */
  around(start: ConfinedStart): ConfinedStart
  /** Takes it away when its last process is gone; tries for a while, and keeps nobody waiting. */
  release(): void
}

const ROOT = '/sys/fs/cgroup'
/** What a backend's own processes take of the number of processes. */
const OWN_PROCESSES = 4
const RELEASE_TRIES = 40
const RELEASE_PAUSE_MS = 25

let counter = 0
/** A group could be made and no process be put in: the kernel asks for more rights there. */
let refused = false
const swept = new Set<string>()

/** For the rest of this process. */
export function doWithoutControlGroups(): void {
  refused = true
}

/**
 * Undefined where this process may not make one: then limits hold for each process by itself.
 *
 * @param bounds what has to be bounded here. Processes are left to the limit of a user where a job has a user of its own
 */
export function controlGroup(
  limits: SandboxLimits,
  bounds: readonly ('memory' | 'pids')[] = ['memory', 'pids'],
): ControlGroup | undefined {
  if (process.platform !== 'linux' || refused) return undefined
  const name = `tenon-${process.pid}-${++counter}`
  const isUnified = existsSync(join(ROOT, 'cgroup.controllers'))
  const made = isUnified ? unified(name, limits) : separate(name, limits, bounds)
  if (made === undefined) return undefined
  const { folders, door } = made
  return Object.freeze({
    around: door.around,
    release() {
      door.close()
      void removeAll(folders, RELEASE_TRIES)
    },
  })
}

/** Version 2: beside our own group, because a group with processes in it cannot have limited groups below. */
function unified(name: string, limits: SandboxLimits): Made | undefined {
  const own = groupPath('0::')
  if (own === undefined) return undefined
  const parent = join(ROOT, own === '/' ? '' : dirname(own))
  return make([join(parent, name)], doorForOthers, (folder) => {
    writeFileSync(join(folder, 'memory.max'), String(limits.memory))
    writeFileSync(join(folder, 'pids.max'), String(limits.processes + OWN_PROCESSES))
    writeIfThere(join(folder, 'memory.swap.max'), '0')
    writeIfThere(join(folder, 'memory.oom.group'), '1')
  })
}

/** Version 1: a group for each of the controllers, below our own. */
function separate(name: string, limits: SandboxLimits, controllers: readonly string[]): Made | undefined {
  const folders = controllers.map((controller) => {
    const own = groupPath(`:${controller}:`)
    const inside = join(ROOT, controller, own ?? '')
    return join(existsSync(inside) ? inside : join(ROOT, controller), name)
  })
  return make(folders, doorForOneself, (folder) => {
    if (existsSync(join(folder, 'pids.max')))
      writeFileSync(join(folder, 'pids.max'), String(limits.processes + OWN_PROCESSES))
    else writeFileSync(join(folder, 'memory.limit_in_bytes'), String(limits.memory))
  })
}

function groupPath(mark: string): string | undefined {
  try {
    const line = readFileSync('/proc/self/cgroup', 'utf8')
      .split('\n')
      .find((candidate) => candidate.includes(mark))
    return line?.slice(line.lastIndexOf(':') + 1)
  } catch {
    return undefined
  }
}

type Made = { readonly folders: readonly string[]; readonly door: GroupDoor }

function make(
  folders: readonly string[],
  door: (folders: readonly string[]) => GroupDoor,
  limit: (folder: string) => void,
): Made | undefined {
  try {
    for (const folder of folders) {
      sweep(dirname(folder))
      mkdirSync(folder)
      limit(folder)
    }
    return { folders, door: door(folders) }
  } catch {
    void removeAll(folders, 1)
    return undefined
  }
}

/** Groups of processes that were killed. Only empty ones can be removed. */
function sweep(parent: string): void {
  if (swept.has(parent)) return
  swept.add(parent)
  for (const name of readdirSync(parent)) {
    const pid = Number(/^tenon-(\d+)-\d+$/.exec(name)?.[1])
    if (pid > 0 && pid !== process.pid && !existsSync(`/proc/${pid}`)) void removed(join(parent, name))
  }
}

function writeIfThere(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, text)
}

async function removeAll(folders: readonly string[], tries: number): Promise<void> {
  let left = folders
  for (let time = 0; left.length > 0 && time < tries; time++) {
    if (time > 0) await pause(RELEASE_PAUSE_MS)
    const gone = await Promise.all(left.map(removed))
    left = left.filter((_, index) => !gone[index])
  }
}

const removed = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )

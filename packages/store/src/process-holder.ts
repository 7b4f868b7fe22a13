import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names this process as the holder of leases: host, pid, and where the system tells it the time at which the process
 * began, so that a reused pid is not taken for its predecessor. Each store adds a word of its own after a `/`, so that
 * two in one process are two holders.
 */
export function processHolder(): string {
  return ['tenon', host(), process.pid, beganAt(process.pid) ?? ''].join(':')
}

/**
 * True if the holder is a process of this host that does not run any more. False where that cannot be known from
 * here: then the lease ends by itself.
 */
export function isHolderDead(holder: string): boolean {
  const [scheme, itsHost, itsPid, began = ''] = holder.split('/', 1)[0]?.split(':') ?? []
  const pid = Number(itsPid)
  if (scheme !== 'tenon' || itsHost !== host() || !Number.isSafeInteger(pid) || pid <= 0) return false
  if (!exists(pid)) return true
  // Of a process of another user some systems tell nothing: that proves no death.
  const itsBegin = beganAt(pid)
  return began !== '' && itsBegin !== undefined && itsBegin !== began
}

/** Containers may share a host name and a volume, but not their process numbers. */
function host(): string {
  thisHost ??= hostId()
  return thisHost
}

let thisHost: string | undefined

function hostId(): string {
  let processes = ''
  try {
    processes = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Not Linux: one host has one set of process numbers.
  }
  return encodeURIComponent(hostname() + processes)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // EPERM: it exists and belongs to somebody else.
    return (thrown as { code?: unknown }).code !== 'ESRCH'
  }
}

/** Clock ticks since the machine started; `undefined` where /proc does not tell. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the command in parentheses and may hold anything; `starttime` is the 22nd (proc(5)).
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; only its parent has not looked yet.
    return state === 'Z' || state === 'X' ? 'ended' : rest[18]
  } catch {
    return undefined
  }
}

import type { ChildProcess } from 'node:child_process'

/** Signals a process group by the number of its first process; 0 only looks. False when nobody of the group is left. */
export function signalGroup(pid: number | undefined, signal: 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Ends a process and all of its group; on Windows, where there are no groups, the process alone. */
export function killGroup(child: ChildProcess): void {
  if (process.platform === 'win32') child.kill('SIGKILL')
  else signalGroup(child.pid, 'SIGKILL')
}

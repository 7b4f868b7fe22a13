/** Signals a process group by the number of its first process; 0 only looks. False when nobody of the group is left. */
export function signalGroup(pid: number | undefined, signal: 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

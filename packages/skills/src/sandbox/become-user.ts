/** Gives up being root for good: for a launcher that was started as root for a job with a user of its own. */
export function becomeUser(uid: number): void {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}

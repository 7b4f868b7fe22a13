import { TASK_LIMITS } from '@tenon/a2a'
import { HostError } from '../errors.js'
import type { Host } from '../host/host.js'

/** Nobody fills the store alone, by whatever protocol. @throws HostError `too-many-runs` */
export function requireRoom({ store, config }: Pick<Host, 'store' | 'config'>, principal: string): void {
  const most = config.serve?.openTasks ?? TASK_LIMITS.openTasks
  if (store.changed.open(principal) < most) return
  throw new HostError('too-many-runs', `At most ${most} runs of yours may be open at once; end some first.`)
}

import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'

/** Does what nobody waits for. Whether it fails at once or by promise, the run goes on: it is made up for later. */
export function bestEffort(work: () => MaybePromise<unknown>): void {
  try {
    const done = work()
    if (isPromise(done)) done.then(undefined, () => undefined)
  } catch {
    // As above.
  }
}

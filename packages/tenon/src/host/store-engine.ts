import { type Agent, createEngine, type Engine, type Redact } from '@tenon/kernel'
import type { Store } from '@tenon/store'
import { sha256 } from './sha256.js'

/** The engine over a store on disk. Several processes may each have one over the same store. */
export function storeEngine(store: Store, agents: (name: string) => Agent | undefined, redact?: Redact): Engine {
  return createEngine({
    journal: store.journal,
    inbox: store.inbox,
    leases: store.leases,
    grants: store.grants,
    artifacts: store.artifacts,
    holder: store.holder,
    agents,
    digest: sha256,
    ...(redact === undefined ? {} : { redact }),
  })
}

import type { Grants } from '../ports/journal.js'
import type { Grant } from '../run/events.js'

/** Consents that are forgotten with the process. */
export function memoryGrants(): Grants {
  const grants = new Map<string, Grant>()
  return {
    list: (tool) => [...grants.values()].filter((grant) => grant.tool === tool),
    add(grant) {
      grants.set(grant.grantId, grant)
    },
  }
}

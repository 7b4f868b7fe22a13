import { createHash } from 'node:crypto'
import {
  type EnginePorts,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
} from '@tenon/kernel'

/** What outlives a client process. */
export type KeptPorts = Omit<EnginePorts, 'agents'>

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

export const keptPorts = (): KeptPorts => ({
  journal: memoryJournal(),
  inbox: memoryInbox(),
  leases: memoryLeases(),
  grants: memoryGrants(),
  artifacts: memoryArtifacts(sha256),
  digest: (text) => `sha256:${sha256(text)}`,
})

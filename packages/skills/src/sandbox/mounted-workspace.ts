import type { SandboxFolder } from './sandbox.js'

/**
 * A user's workspace as jobs get it. What is kept from file tools is kept from jobs too: hooks of git run as code
 * outside, the store is where consents are, and the configuration says what an agent may do.
 */
export const mountedWorkspace = (path: string, access: 'read' | 'write'): SandboxFolder => ({
  path,
  access,
  hidden: ['.tenon'],
  readOnly: ['.git', 'tenon.yaml', 'tenon.yml'],
})

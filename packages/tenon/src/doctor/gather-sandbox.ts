import { isTenonError } from '@tenon/kernel'
import { chooseSandbox, type Isolation, type SandboxPolicy } from '@tenon/skills'

export type FoundSandbox =
  | { readonly usable: true; readonly name: string; readonly isolation: Isolation }
  | { readonly usable: false; readonly reason: string }

/** The sandbox that would be taken, and what it really closes, found by running something in it. */
export async function gatherSandbox(policy: SandboxPolicy): Promise<FoundSandbox> {
  try {
    const sandbox = await chooseSandbox(policy)
    const probe = await sandbox.probe()
    if (probe.usable) return { usable: true, name: sandbox.name, isolation: probe.isolation }
    return { usable: false, reason: probe.reason }
  } catch (error) {
    if (!isTenonError(error)) throw error
    return { usable: false, reason: `${error.message} [${error.code}]` }
  }
}

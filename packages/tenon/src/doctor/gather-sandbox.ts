import { isTenonError } from '@tenon/kernel'
import { chooseSandbox, type Isolation, type SandboxPolicy, type SandboxPrograms } from '@tenon/skills'

export type FoundSandbox =
  | { readonly usable: true; readonly name: string; readonly runs: SandboxPrograms; readonly isolation: Isolation }
  | { readonly usable: false; readonly reason: string }

/**
 * The sandbox that would be taken, for any program or else for JavaScript, and what it really closes, found by running
 * something in it.
 */
export async function gatherSandbox(policy: SandboxPolicy): Promise<FoundSandbox> {
  const forAny = await gatherFor(policy, 'any program')
  if (forAny.usable) return forAny
  const forScripts = await gatherFor(policy, 'javascript')
  return forScripts.usable ? forScripts : forAny
}

async function gatherFor(policy: SandboxPolicy, program: SandboxPrograms): Promise<FoundSandbox> {
  try {
    const sandbox = await chooseSandbox(policy, program)
    const probe = await sandbox.probe()
    if (probe.usable) return { usable: true, name: sandbox.name, runs: sandbox.runs, isolation: probe.isolation }
    return { usable: false, reason: probe.reason }
  } catch (error) {
    if (!isTenonError(error)) throw error
    return { usable: false, reason: `${error.message} [${error.code}]` }
  }
}

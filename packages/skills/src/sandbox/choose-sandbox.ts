import { SkillsError } from '../errors.js'
import { bubblewrap } from './bubblewrap.js'
import type { Strength } from './isolation.js'
import { landlock } from './landlock.js'
import { quickjs } from './quickjs.js'
import type { Sandbox, SandboxProbe, SandboxPrograms } from './sandbox.js'
import { sandboxRuntime } from './sandbox-runtime.js'
import { unconfined } from './unconfined.js'

export type SandboxPolicy = {
  /** The least that will do. `none` runs programs as the user, where nothing better is there. */
  readonly require: Strength
  /** Only this backend. */
  readonly backend?: string
}

type Looked = { readonly sandbox: Sandbox; readonly probe: SandboxProbe }

const ORDER: Readonly<Record<Strength, number>> = { none: 0, weak: 1, strong: 2 }

let known: readonly Sandbox[] | undefined

/** The backends of this process, in the order in which they are taken. Each is probed once. */
export function sandboxes(): readonly Sandbox[] {
  known ??= Object.freeze([bubblewrap(), landlock(), sandboxRuntime(), quickjs(), unconfined()])
  return known
}

/**
 * The first sandbox that can run the program and is as strong as required.
 * @throws SkillsError `sandbox-missing` with how to get one; nothing weaker is ever taken instead
 */
export async function chooseSandbox(
  policy: SandboxPolicy,
  program: SandboxPrograms = 'any program',
  from: readonly Sandbox[] = sandboxes(),
): Promise<Sandbox> {
  const refused: Looked[] = []
  for (const sandbox of from) {
    if (policy.backend !== undefined && sandbox.name !== policy.backend) continue
    if (sandbox.runs !== 'any program' && sandbox.runs !== program) {
      refused.push({ sandbox, probe: { usable: false, reason: 'it runs plain JavaScript only', remedy: '' } })
      continue
    }
    const probe = await sandbox.probe()
    if (probe.usable && ORDER[probe.strength] >= ORDER[policy.require]) return sandbox
    refused.push({ sandbox, probe })
  }
  throw new SkillsError('sandbox-missing', whyNone(policy, refused))
}

function whyNone({ require, backend }: SandboxPolicy, refused: readonly Looked[]): string {
  const known = refused.filter(({ sandbox }) => sandbox.name !== 'unconfined' || backend === 'unconfined')
  const found = known.map(({ sandbox, probe }) =>
    probe.usable ? `${sandbox.name} is only ${probe.strength}` : `${sandbox.name}: ${probe.reason}`,
  )
  const remedies = known.flatMap(({ probe }) => (probe.usable || probe.remedy === '' ? [] : [probe.remedy]))
  const named = backend === undefined ? '' : ` named "${backend}"`
  return [
    `A ${require} sandbox${named} is required and there is none here, so nothing was run (${found.join('; ') || 'no such backend'}).`,
    ...remedies,
    'A weaker one can be allowed with "sandbox: { require: weak }" or "none" in the configuration.',
  ].join(' ')
}

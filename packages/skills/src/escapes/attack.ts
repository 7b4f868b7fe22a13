import type { SandboxPrograms, SandboxResult } from '../sandbox/sandbox.js'
import type { Targets } from './targets.js'

/** Something that a program tries in order to get out of a sandbox, or to use the host up. */
export type Attack = {
  readonly name: string
  readonly group: 'files' | 'network' | 'environment' | 'processes' | 'kernel' | 'resources'
  /**
   * Python: the body of a function that returns true where it got what it wanted and false or an error where not. It
   * knows `T`, the targets, and `call(number, …)`, a system call by its x86-64 number that raises when refused.
   */
  readonly body?: string
  /**
   * JavaScript: the body of an async function with the same end, knowing `T` and `fs`. Used where a sandbox runs nothing
   * else, and everywhere where there is no Python.
   */
  readonly javascript?: string
  /** Says nothing about a sandbox that runs Node itself. */
  readonly only?: 'javascript'
  /** Where only the host can tell: true when the attack worked. */
  readonly worked?: (targets: Targets, result: SandboxResult, outputs: string) => boolean
  /** Not to be tried without a sandbox, because it would do harm. */
  readonly harmful?: true
}

/** How an attack is written down for a sandbox: undefined where its programs have no way to try. */
export function attackProgram(
  { body, javascript, only }: Attack,
  runs: SandboxPrograms,
): { readonly language: 'python' | 'javascript'; readonly body: string } | undefined {
  if (runs === 'any program' && body !== undefined) return { language: 'python', body }
  if (javascript === undefined || (runs === 'any program' && only === 'javascript')) return undefined
  return { language: 'javascript', body: javascript }
}

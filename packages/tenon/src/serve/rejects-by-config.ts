import type { ExposedAgent } from '@tenon/a2a'
import { matchesText } from '@tenon/kernel'
import type { AgentConfig } from '../config/config-table.js'

type Takes = NonNullable<NonNullable<AgentConfig['public']>['takes']>

/** Rejects the tasks of callers that are not named, and those whose message is too large. */
export function rejectsByConfig({ callers, bytes }: Takes): NonNullable<ExposedAgent['rejects']> {
  return ({ parts }, { owner }) => {
    if (callers !== undefined && !callers.some((pattern) => matchesText(pattern, owner)))
      return 'This agent takes no tasks of this caller.'
    if (bytes !== undefined && Buffer.byteLength(JSON.stringify(parts)) > bytes)
      return `This agent takes messages of at most ${bytes} bytes.`
    return undefined
  }
}

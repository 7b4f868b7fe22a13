import { isJsonObject, type Trust, type UserMessage } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { isBlock } from '../tools/tool-answer.js'

const TRUSTS: readonly unknown[] = ['host', 'user', 'vetted', 'untrusted'] satisfies Trust[]

/**
 * What a program says to a run: once it is in the journal, a run that cannot be read cannot be mended either.
 * @throws HostError `options-invalid`
 */
export function checkMessage(what: string, said: unknown): asserts said is string | UserMessage {
  if (typeof said === 'string') return
  if (isJsonObject(said) && said.role === 'user' && Array.isArray(said.blocks) && said.blocks.every(isBlock)) {
    const { provenance } = said
    if (isJsonObject(provenance) && typeof provenance.source === 'string' && TRUSTS.includes(provenance.trust)) return
  }
  throw new HostError(
    'options-invalid',
    `${what} is a text, or { role: "user", blocks: [{ kind: "text", text }], provenance: { source: "user", trust: "user" } }.`,
  )
}

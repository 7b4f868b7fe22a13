import type { PromptArgument } from '@tenon/mcp'
import { safeText } from '../printer/safe-text.js'
import type { Asker } from './asker.js'

/** What may be typed for an argument, given the others. */
export type Suggest = (
  name: string,
  typed: string,
  given: Readonly<Record<string, string>>,
) => Promise<readonly string[]>

const SHOWN = 8

/**
 * Asks for arguments one by one, with what the server proposes beside each and on Tab. Nothing typed leaves out what
 * may be left out. Undefined when the person closed the input.
 */
export async function askArguments(
  wanted: readonly PromptArgument[],
  suggest: Suggest,
  asker: Asker,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const given: Record<string, string> = {}
  for (const { name, description, required } of wanted) {
    const hint = [description, listed(await suggest(name, '', given))].filter((part) => part !== '').join('; ')
    const label = `${name}${hint === '' ? '' : ` (${hint})`}${required ? '' : ' (empty: none)'}: `
    let typed: string | undefined
    do typed = await asker.question(safeText(label), signal, (begun) => suggest(name, begun, given))
    while (typed === '' && required)
    if (typed === undefined) return undefined
    if (typed !== '') given[name] = typed
  }
  return given
}

function listed(values: readonly string[]): string {
  const more = values.length - SHOWN
  return values.slice(0, SHOWN).join(' | ') + (more > 0 ? ` | ${more} more on Tab` : '')
}

import { resolve } from 'node:path'
import type { Host } from '../host/host.js'
import { limitsWithoutPrices } from '../host/limits-without-prices.js'
import type { Io } from './io.js'
import { safeText } from './printer/safe-text.js'

type Asked = { readonly money?: number; readonly rehearsal?: string }

/** Tells whoever starts a host what was left out of it, what of their wishes does nothing, and that nobody thinks. */
export function tellStart(host: Host, io: Io, asked: Asked = {}): void {
  const notes = [
    ...host.problems.map(({ message }) => message),
    ...limitsWithoutPrices(host, asked),
    ...unplayed(host, io, asked.rehearsal),
    ...(host.agent.model.disclaimer === undefined ? [] : [host.agent.model.disclaimer]),
  ]
  for (const note of notes) io.stderr.write(`note: ${safeText(note)}\n`)
}

/** A rehearsal steps back where a model was named or found: whoever asked for it would take that one's words for it. */
function unplayed({ decision: { choice, ways } }: Host, io: Io, rehearsal: string | undefined): readonly string[] {
  if (rehearsal === undefined) return []
  if (choice?.kind === 'rehearsal' && choice.file === resolve(io.cwd, rehearsal)) return []
  const why = ways.find(({ state }) => state === 'chosen' || state === 'refused')?.text
  return [`The rehearsal ${rehearsal} does not play${why === undefined ? '' : `: ${why}`}.`]
}

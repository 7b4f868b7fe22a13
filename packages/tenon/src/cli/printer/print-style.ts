import type { Environment } from '../../config/interpolate.js'

/** How output looks. `flow`: text as it is written, marks and a status line. Else whole labelled lines, one after another. */
export type PrintStyle = { readonly flow: boolean; readonly color: boolean; readonly width: number }

export type StyleFacts = {
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly environment: Environment
  readonly plain: boolean
}

/** Marks, colour and redrawing are for terminals alone, and for people who did not ask for plain text. */
export function printStyle(facts: StyleFacts): PrintStyle {
  const { environment } = facts
  const dumb = environment.TERM === 'dumb'
  const flow = facts.isTTY && !dumb && !facts.plain && !environment.NO_COLOR
  return { flow, color: flow, width: Math.max(40, Math.min(facts.columns ?? 100, 200)) }
}

import type { Json, UnboundCall } from '@tenon/kernel'
import type { AnswerContext, AnswerState } from './answer-state.js'
import type { ArgumentText } from './argument-text.js'
import { wellFormed, wellFormedJson } from './well-formed.js'

/** A call while it arrives. */
export type CallDraft = {
  id: string
  name: string
  readonly args: ArgumentText
  /** What has to go back beside it. */
  raw?: Json
}

/** The block of a call, with everything odd about it reported. `cutShort`: see ArgumentText.read. */
export function callBlock(
  draft: CallDraft,
  cutShort: boolean,
  state: AnswerState,
  context: AnswerContext,
): UnboundCall {
  const { name, mapped } = context.tools.resolve(draft.name)
  if (mapped) state.report('tool-name-mapped')
  const duplicate = draft.id !== '' && state.callIds.has(draft.id)
  if (draft.id === '') state.report('tool-id-missing')
  if (duplicate) state.report('tool-id-duplicate')
  state.callIds.add(draft.id)
  const read = draft.args.read(cutShort, state.report)
  const args = wellFormedJson(read.args)
  const argsText = read.argsText === undefined ? undefined : wellFormed(read.argsText)
  if (args !== read.args || argsText !== read.argsText) state.report('lone-surrogate')
  return {
    kind: 'tool-call',
    name,
    args,
    ...(argsText === undefined ? {} : { argsText }),
    ...(read.problem === undefined ? {} : { problem: read.problem }),
    ...(draft.id === '' || duplicate ? {} : { alias: draft.id }),
    author: context.author,
    ...(draft.raw === undefined ? {} : { raw: draft.raw }),
  }
}

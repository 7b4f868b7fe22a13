import { ContextId, plainText, RunState } from '@tenon/kernel'
import type { Store } from '@tenon/store'
import { messageOf } from '../mapping/message-mapping.js'

const TASKS = 8
const CHARACTERS = 4_000

/**
 * What the caller's earlier tasks of this context said, for the model to read: the context is the memory across tasks.
 * Undefined where there are none. A context id that another owner uses as well leads to nothing of theirs.
 */
export function contextMemory(
  store: Pick<Store, 'changed' | 'journal'>,
  of: { readonly principal: string; readonly agent: string; readonly contextId: string },
): string | undefined {
  const { runs } = store.changed.page({ ...of, contextId: ContextId(of.contextId), limit: TASKS })
  const told: string[] = []
  let room = CHARACTERS
  for (const { runId: id } of runs) {
    const run = RunState.of(store.journal.load(id))
    const { ended } = run
    if (ended?.state !== 'completed') continue
    const asked = messageOf(run.submission.goal, { taskId: id, contextId: of.contextId, fallbackId: id })
    const question = asked.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    const line = `Asked: ${cut(question)}\nAnswered: ${cut(plainText(ended.blocks) || 'by artifacts only')}`
    if (line.length > room) break
    room -= line.length
    told.unshift(line)
  }
  return told.length === 0 ? undefined : `Earlier in this conversation:\n${told.join('\n')}`
}

const cut = (text: string): string => (text.length <= 1_000 ? text : `${text.slice(0, 999)}…`)

import { type ContextId, type FramePart, plainText, RunState } from '@tenon/kernel'
import type { Store } from '@tenon/store'

/** Characters of earlier talk that a new run is given; what is older is left out. */
const MAX_CHARS = 24_000
const MAX_RUNS = 40

/** What was said in the earlier runs of a context, for the frame of the next one. Undefined when there was nothing. */
export async function conversation(store: Store, contextId: ContextId): Promise<FramePart | undefined> {
  const { runs } = store.runs.list({ contextId, parent: null, limit: MAX_RUNS })
  const said: string[] = []
  let left = MAX_CHARS
  for (const { runId } of runs) {
    const exchange = exchangeOf(RunState.of(await store.journal.load(runId)))
    left -= exchange.length
    if (left < 0) break
    said.unshift(exchange)
  }
  if (said.length === 0) return undefined
  return {
    partId: 'conversation',
    kind: 'memory',
    provenance: { source: 'run', name: 'earlier in this conversation', trust: 'user' },
    text: `Earlier in this conversation, oldest first:\n\n${said.join('\n\n')}`,
  }
}

function exchangeOf(run: RunState): string {
  const lines = [`User: ${plainText(run.submission.goal.blocks)}`]
  const tools = new Set([...run.calls.values()].map(({ proposal }) => proposal.tool))
  if (tools.size > 0) lines.push(`(You used ${[...tools].join(', ')}.)`)
  if (run.ended?.state === 'completed') lines.push(`You: ${plainText(run.ended.blocks)}`)
  else lines.push(`(That run ended as ${run.state}.)`)
  return lines.join('\n')
}

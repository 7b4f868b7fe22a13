import type { RunEventOf, RunId } from '@tenon/kernel'
import type { Host } from '../host/host.js'
import type { Io } from './io.js'
import { safeText } from './printer/safe-text.js'

/**
 * Tells whoever runs a server that the task of a caller failed, and where to look. What went wrong is told by its code
 * alone: the words may be those of a model or of a caller, and belong into no log. Returns how to stop.
 */
export function tellFailures({ engine }: Host, io: Io): () => void {
  const tell = async (runId: RunId, { error }: RunEventOf<'run-ended'>): Promise<void> => {
    const { agent, parent } = (await engine.state(runId)).submission
    // A sub-run is its parent's matter, which may do without it.
    if (parent !== undefined) return
    const line = `failed: ${agent} [${error?.code ?? 'unknown'}]; tenon runs show ${runId}`
    io.stderr.write(`${safeText(line)}\n`)
  }
  return engine.subscribe((item) => {
    if (item.kind !== 'event' || item.event.kind !== 'run-ended' || item.event.state !== 'failed') return
    void tell(item.runId, item.event).catch(() => undefined)
  })
}

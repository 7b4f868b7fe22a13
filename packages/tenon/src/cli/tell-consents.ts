import type { InputRequest, RunId } from '@tenon/kernel'
import type { Host } from '../host/host.js'
import type { Io } from './io.js'
import { oneLineArguments } from './printer/one-line-arguments.js'
import { safeText } from './printer/safe-text.js'

/** A log is no place for all of what is asked for; tenon runs show has it whole. */
const ARGUMENT_CHARACTERS = 100

/**
 * Tells whoever runs a server that a run waits for consent: its clients are not asked, and see only that it works.
 * Returns how to stop.
 */
export function tellConsents({ engine }: Host, io: Io): () => void {
  const tell = async (runId: RunId, request: InputRequest): Promise<void> => {
    const run = await engine.state(runId)
    // A sub-run is answered on its parent, which asks the same in a moment.
    if (run.submission.parent !== undefined) return
    const call = request.via === undefined ? run.calls.get(request.callId) : undefined
    const what =
      call === undefined ? request.prompt : `${call.proposal.tool} ${oneLineArguments(call.args, ARGUMENT_CHARACTERS)}`
    io.stderr.write(`asks: ${safeText(what).replace(/\s+/g, ' ')}\n`)
    io.stderr.write(`  tenon runs answer ${runId} ${request.requestId} --yes, or --no "why"\n`)
  }
  return engine.subscribe((item) => {
    if (item.kind !== 'event' || item.event.kind !== 'input-requested') return
    const { request } = item.event
    if (request.kind === 'approval') void tell(item.runId, request).catch(() => undefined)
  })
}

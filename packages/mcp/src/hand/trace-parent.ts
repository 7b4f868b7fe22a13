import { createHash } from 'node:crypto'

/** A W3C trace context for a call: the run is the trace and the call its span, without telling either id. */
export function traceParent(runId: string, callId: string): string {
  const trace = createHash('sha256').update(runId).digest('hex').slice(0, 32)
  const span = createHash('sha256').update(callId).digest('hex').slice(0, 16)
  return `00-${trace}-${span}-01`
}

import type { InputRequest, RunState } from '@tenon/kernel'
import { consentCard } from '../../cli/consent/consent-card.js'
import { safeText } from '../../cli/printer/safe-text.js'

/** The question that a run waits on first, as text: with everything that a person has to know before they say yes. */
export function askedText(run: RunState, request: InputRequest): string {
  if (request.kind !== 'approval') return `${safeText(request.prompt)}${shapeOf(request)}`
  const call = run.calls.get(request.callId)
  const { lines } = consentCard(request, call, true)
  return `May this be done?\n${lines.join('\n')}\n\nAnswer "yes", or "no" with a reason.`
}

function shapeOf({ schema }: InputRequest): string {
  if (schema === undefined || (schema.type === 'string' && schema.enum === undefined)) return ''
  return `\nThe answer fits this shape: ${safeText(JSON.stringify(schema))}`
}

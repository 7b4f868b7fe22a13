import type { InputRequest, Json, JsonObject, Proposal } from '@tenon/kernel'
import { callLayer } from '../call-layer.js'
import { safeText } from '../printer/safe-text.js'

export type ConsentCard = {
  /** Everything that the person decides on, one line each. */
  readonly lines: readonly string[]
  /** The arguments do not fit: approving waits until they were shown whole. */
  readonly folded: boolean
}

const FOLD_LINES = 60

/** What is shown to a person who is asked for consent: who asks, what would happen, and the arguments, whole. */
export function consentCard(
  request: InputRequest,
  call: { readonly proposal: Proposal; readonly args: JsonObject } | undefined,
  whole: boolean,
): ConsentCard {
  const head: string[] = []
  if (call !== undefined && request.via === undefined) {
    const { tool, effect, provenance } = call.proposal
    const layer = callLayer(call.proposal, call.args)
    const from = layer === undefined || layer === 'function' ? '' : ` of ${layer}`
    head.push(`${safeText(tool)}${safeText(from)}: ${EFFECTS[effect]}`)
    if (provenance.trust === 'untrusted')
      head.push(
        `Careful: what led to this call includes text that is not trusted${provenance.name === undefined || provenance.source === 'model' ? '' : ` (${safeText(provenance.name)})`}.`,
      )
  } else head.push(...safeText(request.prompt).split('\n'))
  if (request.via?.runId !== undefined) head.push(`Asked by the sub-run ${request.via.runId}.`)
  if (request.via?.peer !== undefined) head.push(`Asked by the peer ${safeText(request.via.peer)}.`)
  if (request.reason !== undefined) head.push(`Asks because: ${safeText(request.reason)}`)
  if (request.expiresAt !== undefined) head.push(`Open until ${new Date(request.expiresAt).toLocaleString()}.`)

  const body = call === undefined || request.via !== undefined ? [] : argumentLines(call.args)
  const folded = !whole && body.length > FOLD_LINES
  const shown = folded
    ? [
        ...body.slice(0, FOLD_LINES - 20),
        `  … ${body.length - FOLD_LINES + 10} more lines; v shows all …`,
        ...body.slice(-10),
      ]
    : body
  return { lines: [...head, ...shown], folded }
}

const EFFECTS = {
  pure: 'changes nothing',
  idempotent: 'changes something; doing it twice is as doing it once',
  once: 'changes something, each time it is done',
} as const

function argumentLines(args: JsonObject): string[] {
  const lines: string[] = []
  for (const [name, value] of Object.entries(args)) {
    const [first = '', ...rest] = valueText(value).split('\n')
    const label = safeText(name).replaceAll('\n', '\\n')
    if (rest.length === 0) lines.push(`  ${label}: ${first}`)
    else lines.push(`  ${label}:`, ...[first, ...rest].map((line) => `    ${line}`))
  }
  return lines
}

const valueText = (value: Json): string => safeText(typeof value === 'string' ? value : JSON.stringify(value, null, 2))

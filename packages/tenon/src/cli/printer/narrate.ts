import type { CallId, InputRequest, LiveItem, RunEvent, RunEventOf, RunState } from '@tenon/kernel'
import { plainText } from '@tenon/kernel'
import { resultText } from '../../host/result-text.js'
import { fit } from './columns.js'
import { oneLineArguments } from './one-line-arguments.js'
import type { Piece } from './piece.js'
import { safeText } from './safe-text.js'
import { counted, spokenMoney, spokenTime } from './words.js'

export type NarrateOptions = {
  /** Columns that one line may take. */
  readonly width: number
  /** The run's id as the user types it. */
  readonly name: string
}

/** What there is to print about one item, given the run up to and with it. Pure: the same for the same run, live or not. */
export function narrate(run: RunState, item: LiveItem, options: NarrateOptions): readonly Piece[] {
  switch (item.kind) {
    case 'event':
      return narrateEvent(run, item.event, options)
    case 'block-began':
      if (item.block === 'tool-call')
        return [busy(`${item.name === undefined ? 'a call' : safeText(item.name)} is being written`)]
      return [busy(item.block === 'reasoning' ? 'thinking' : 'answering')]
    case 'delta':
      if (item.block !== 'text' && item.block !== 'reasoning') return []
      return [{ kind: 'delta', key: `${item.turnId}.${item.index}`, block: item.block, text: item.text }]
    case 'progress': {
      const part = item.total === undefined ? '' : ` ${item.done ?? 0} of ${item.total}`
      return [
        busy(`${toolOf(run, item.callId)}${part}${item.message === undefined ? '' : `: ${oneLine(item.message, 60)}`}`),
      ]
    }
    case 'retrying':
      return [
        line(
          'retry',
          '↻',
          'muted',
          `the model failed (${item.code}); trying again in ${spokenTime(item.afterMs)}`,
          oneLine(item.message, options.width - 40),
        ),
      ]
  }
}

function narrateEvent(run: RunState, event: RunEvent, options: NarrateOptions): readonly Piece[] {
  switch (event.kind) {
    case 'run-submitted':
      return [line('run', '●', 'muted', options.name, `agent ${safeText(event.agent)}`), busy('starting')]
    case 'message-received':
      return event.message.provenance.source === 'user'
        ? [line('you', '›', 'plain', oneLine(plainText(event.message.blocks), options.width - 4))]
        : []
    case 'turn-began':
      return [busy(`waiting for ${safeText(event.model.model)}`)]
    case 'block-ended': {
      const { block } = event
      if (block.kind !== 'text' && block.kind !== 'reasoning') return []
      if (block.text.trim() === '') return []
      return [{ kind: 'block', key: `${event.turnId}.${event.index}`, block: block.kind, text: block.text }]
    }
    case 'turn-ended':
      return narrateTurnEnd(event, options)
    case 'output-rejected':
      return [
        line('again', '↻', 'muted', 'the answer did not have the wanted shape', oneLine(event.problems.join('; '), 80)),
      ]
    case 'scope-opened':
      return [line('step', '┌', 'muted', oneLine(plainText(event.goal.blocks), options.width - 4))]
    case 'call-begun':
      return narrateBegin(run, event, options)
    case 'call-settled':
      return narrateSettle(run, event, options)
    case 'call-amended':
      return [
        line('changed', '✎', 'ask', toolOf(run, event.callId), `${oneLineArguments(event.args, options.width - 30)}`),
      ]
    case 'input-requested':
      return narrateRequest(run, event.request, options)
    case 'input-answered':
      return event.how === 'expired' ? [line('expired', '✗', 'bad', `nobody answered ${event.requestId} in time`)] : []
    case 'view-rewritten':
      return [
        line(
          'context',
          '~',
          'muted',
          `the context was made shorter (${event.rewrite.kind})`,
          counted(event.rewrite.freedTokens, 'token'),
        ),
      ]
    case 'run-forked':
      return [line('fork', '↳', 'muted', `forked from ${event.from.runId}`, `after event ${event.from.seq}`)]
    case 'cancel-requested':
      return [
        line('cancel', '■', 'bad', 'canceling', event.reason === undefined ? undefined : oneLine(event.reason, 60)),
      ]
    case 'run-ended':
      return narrateEnd(run, event, options)
    default:
      return []
  }
}

function narrateTurnEnd(event: RunEventOf<'turn-ended'>, options: NarrateOptions): readonly Piece[] {
  const error = event.error
  if (event.outcome === 'finished' && error === undefined) return []
  const what =
    event.outcome === 'interrupted' ? 'the turn was interrupted' : `the turn failed (${error?.code ?? 'unknown'})`
  return [
    line(
      'turn',
      '✗',
      event.outcome === 'failed' ? 'bad' : 'muted',
      what,
      error && oneLine(error.message, options.width * 2),
    ),
  ]
}

function narrateBegin(run: RunState, event: RunEventOf<'call-begun'>, options: NarrateOptions): readonly Piece[] {
  const call = run.call(event.callId)
  const disposition = call.approvedBinding === undefined ? 'allowed' : 'approved'
  const again = event.attempt === 1 ? '' : call.handle === undefined ? `, attempt ${event.attempt}` : ', going on'
  const tool = safeText(call.proposal.tool)
  const room = options.width - tool.length - disposition.length - again.length - 8
  return [
    line('call', '→', 'call', `${tool} ${oneLineArguments(call.args, room)}`, `${disposition}${again}`),
    busy(`${tool} is running`),
  ]
}

const MARKS = {
  finished: ['✓', 'good'],
  failed: ['✗', 'bad'],
  denied: ['✗', 'bad'],
  'in-doubt': ['?', 'bad'],
  skipped: ['-', 'muted'],
  canceled: ['■', 'muted'],
} as const

function narrateSettle(run: RunState, event: RunEventOf<'call-settled'>, options: NarrateOptions): readonly Piece[] {
  const call = run.call(event.callId)
  const tool = safeText(call.proposal.tool)
  const [mark, tone] = MARKS[event.outcome]
  const notes = [event.outcome as string]
  if (call.beganAt > 0) notes.push(spokenTime(event.at - call.beganAt))
  if (call.cost > 0) notes.push(spokenMoney(call.cost))
  const note = notes.join(', ')
  const said = event.error?.message ?? plainText(event.content)
  const room = options.width - tool.length - note.length - 8
  // A call that never began was not shown yet: say with which arguments it was refused.
  const args = call.beganAt === 0 ? ` ${oneLineArguments(call.args, Math.max(20, room >> 1))}` : ''
  const preview = room - args.length > 12 && said !== '' ? `  ${oneLine(said, room - args.length - 2)}` : ''
  return [line('result', mark, tone, `${tool}${args}${preview}`, note), busy('working')]
}

function narrateRequest(run: RunState, request: InputRequest, options: NarrateOptions): readonly Piece[] {
  const tool = toolOf(run, request.callId)
  const reason =
    request.reason === undefined ? request.requestId : `${request.requestId}, ${oneLine(request.reason, 80)}`
  if (request.kind === 'approval' && request.via === undefined) {
    const args = run.calls.get(request.callId)?.args ?? {}
    return [line('asks', '?', 'ask', `${tool} ${oneLineArguments(args, options.width - tool.length - 20)}`, reason)]
  }
  return [line('asks', '?', 'ask', oneLine(request.prompt, options.width * 2), reason)]
}

function narrateEnd(run: RunState, event: RunEventOf<'run-ended'>, options: NarrateOptions): readonly Piece[] {
  const { totals } = run
  const sums = [counted(run.turnCount, 'turn'), counted(totals.calls, 'call'), counted(totals.tokens, 'token')]
  if (totals.cost > 0) sums.push(spokenMoney(totals.cost))
  sums.push(spokenTime(totals.activeMs))
  const tone = event.state === 'completed' ? 'muted' : 'bad'
  const mark = event.state === 'completed' ? '●' : '✗'
  const why = event.error === undefined ? '' : `: ${safeText(event.error.message)} (${event.error.code})`
  return [
    { kind: 'end', result: resultText(event) },
    line('end', mark, tone, `${event.state}${why}`, `${sums.join(', ')}; run ${options.name}`),
  ]
}

const toolOf = (run: RunState, callId: CallId): string => safeText(run.calls.get(callId)?.proposal.tool ?? callId)

const oneLine = (text: string, width: number): string =>
  fit(safeText(text.slice(0, 4000)).replace(/\s+/g, ' ').trim(), Math.max(8, width))

const busy = (text: string): Piece => ({ kind: 'busy', text })

function line(
  label: string,
  mark: string,
  tone: Extract<Piece, { kind: 'line' }>['tone'],
  text: string,
  note?: string,
): Piece {
  return { kind: 'line', label, mark, tone, text, ...(note === undefined || note === '' ? {} : { note }) }
}

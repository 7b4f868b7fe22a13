import { type ContentBlock, plainText, type RunEvent, type RunId, RunState } from '@tenon/kernel'
import { resultText } from '../host/result-text.js'
import { counted, spokenMoney, spokenTime } from './printer/words.js'

/** A run as a document that people read: what was wanted, what was said, what was done, what came of it. */
export function runMarkdown(runId: RunId, events: readonly RunEvent[]): string {
  const run = RunState.of(events)
  const parts = [`# Run ${runId}\n`, facts(run, events)]
  for (const event of events) {
    const part = section(run, event)
    if (part !== undefined) parts.push(part)
  }
  return `${parts.join('\n')}\n`
}

function facts(run: RunState, events: readonly RunEvent[]): string {
  const { totals, submission } = run
  const lines = [
    `- State: ${run.state}`,
    `- Agent: ${submission.agent}`,
    `- Began: ${new Date(events[0]?.at ?? 0).toISOString()}`,
    `- ${counted(run.turnCount, 'turn')}, ${counted(totals.calls, 'call')}, ${counted(totals.tokens, 'token')}${totals.cost > 0 ? `, ${spokenMoney(totals.cost)}` : ''}`,
    `- Worked ${spokenTime(totals.activeMs)}, waited for people ${spokenTime(totals.waitedMs)}`,
  ]
  return `${lines.join('\n')}\n`
}

function section(run: RunState, event: RunEvent): string | undefined {
  switch (event.kind) {
    case 'run-submitted':
      return `## Goal\n\n${quoted(plainText(event.goal.blocks))}\n`
    case 'message-received':
      return `## ${event.message.provenance.source === 'user' ? 'You' : 'Host'}\n\n${quoted(plainText(event.message.blocks))}\n`
    case 'block-ended':
      if (event.block.kind === 'text') return `${event.block.text}\n`
      if (event.block.kind === 'reasoning' && event.block.text !== '')
        return `<details><summary>Thought</summary>\n\n${event.block.text}\n\n</details>\n`
      return undefined
    case 'turn-began':
      return `## Turn ${event.turnId.slice(1)} (${event.model.model})\n`
    case 'turn-ended':
      return event.error === undefined ? undefined : `Failed: ${event.error.message} (${event.error.code})\n`
    case 'call-begun': {
      const call = run.call(event.callId)
      return `### ${call.proposal.tool} (${event.callId})\n\n${fenced(JSON.stringify(call.args, null, 2), 'json')}\n`
    }
    case 'call-settled': {
      const call = run.call(event.callId)
      const took = call.beganAt === 0 ? '' : ` in ${spokenTime(call.endedAt - call.beganAt)}`
      return `${call.proposal.tool} (${event.callId}) ${event.outcome}${took}:\n\n${fenced(content(event.content))}\n`
    }
    case 'input-requested':
      return `Asked (${event.request.requestId}): ${event.request.prompt}\n`
    case 'input-answered':
      return `Answered (${event.requestId})${event.by === undefined ? '' : ` by ${event.by}`}: ${JSON.stringify(event.answer)}\n`
    case 'run-ended':
      return `## ${event.state}\n\n${event.error === undefined ? resultText(event) : `${event.error.message} (${event.error.code})`}\n`
    default:
      return undefined
  }
}

const content = (blocks: readonly ContentBlock[]): string =>
  blocks
    .map((block) => (block.kind === 'text' ? block.text : `[${block.kind} ${'name' in block ? block.name : ''}]`))
    .join('\n')

const quoted = (text: string): string => text.replace(/^/gm, '> ')

/** A fence that is longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

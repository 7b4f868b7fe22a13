import { type Block, messageTokens, type Provenance, type ToolDefinition } from '@tenon/kernel'
import type { TurnView } from '../host/turn-view.js'
import { fit } from './printer/columns.js'
import { table } from './printer/table.js'
import { spokenBytes } from './printer/words.js'

/** The view for people: where the tokens went, then what stood there. */
export function viewLines(view: TurnView, full: boolean): readonly string[] {
  const { manifest, usage } = view
  const total = Math.max(1, manifest.tokens)
  const share = (tokens: number): string => `${((tokens / total) * 100).toFixed(1)}%`
  const origins = new Map(view.frozen.map((part) => [part.partId, part.provenance]))
  const rows = view.entries.map((part) => [
    part.kind,
    part.partId === part.kind ? '' : part.partId,
    String(part.tokens),
    share(part.tokens),
    `${part.share}`,
    `${part.count}`,
    origins.has(part.partId) ? origin(origins.get(part.partId)) : part.trust,
    part.digest.replace(/^sha256:/, '').slice(0, 12),
  ])
  if (manifest.reminder !== undefined) rows.push(['reminder', 'not kept', '', '', '', '1', 'host', ''])
  const counted =
    usage === null
      ? 'the provider told no count'
      : `the provider counted ${usage.input + usage.cachedInput + usage.cacheWrite} (${usage.cachedInput} from its cache)`
  const lines = [
    `${view.turnId} of ${view.model}: about ${manifest.tokens} tokens in ${manifest.messages} messages; ${counted}`,
    '',
    ...table([['part', 'id', 'tokens', 'of view', 'at most', 'count', 'from', 'digest'], ...rows])
      .trimEnd()
      .split('\n'),
    '',
  ]
  for (const part of view.frozen) {
    lines.push(`[${part.kind}] ${part.partId} (${part.tokens} tokens, ${origin(part.provenance)})`)
    const text = part.tools === undefined ? part.text : toolText(part.tools, full)
    lines.push(...body(text, full))
  }
  for (const [index, message] of view.messages.entries()) {
    const from = message.role === 'user' ? `, ${origin(message.provenance)}` : ''
    lines.push(`[${index + 1} ${message.role}] (${messageTokens(message)} tokens${from})`)
    for (const block of message.blocks) lines.push(...body(blockText(block), full))
  }
  if (manifest.reminder !== undefined) lines.push('[reminder]', ...body(manifest.reminder, full))
  if (!full) lines.push('', 'Long texts are cut; --full shows all.')
  return lines
}

const toolText = (tools: readonly ToolDefinition[], full: boolean): string =>
  tools
    .map(({ name, description, input }) => `${name}: ${description}${full ? `\n  ${JSON.stringify(input)}` : ''}`)
    .join('\n')

const HEAD = 3

function body(text: string, full: boolean): string[] {
  const all = text.split('\n')
  if (full) return all.map((line) => `  ${line}`)
  const head = all.slice(0, HEAD).map((line) => `  ${fit(line, 150)}`)
  return all.length > HEAD ? [...head, `  … ${all.length - HEAD} more lines`] : head
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'reasoning':
      return `(thought${block.seal === 'none' ? '' : `, ${block.seal}`}) ${block.text}`
    case 'tool-call':
      return `→ ${block.callId} ${block.name} ${block.argsText ?? JSON.stringify(block.args)}`
    case 'tool-result': {
      const head = `← ${block.callId} ${block.name}${block.isError ? ' failed' : ''} (${origin(block.provenance)})`
      return [head, ...block.content.map(blockText)].join('\n')
    }
    case 'artifact':
      return `[artifact ${block.name}, ${block.mediaType}, ${spokenBytes(block.bytes)}, ${block.artifactId}]`
    case 'opaque':
      return `[${block.type}]`
    default:
      return `[${block.kind} ${block.mediaType}]`
  }
}

const origin = (from: Provenance | undefined): string =>
  from === undefined ? '' : `${from.source}${from.name === undefined ? '' : ` ${from.name}`}, ${from.trust}`

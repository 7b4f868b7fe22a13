import type {
  AssistantMessage,
  Author,
  ContentBlock,
  Message,
  ModelRequest,
  Provenance,
  TextBlock,
  ToolMessage,
  TurnBlock,
  UserMessage,
} from '@tenon/kernel'
import { hostMessage, leastTrust, text, userMessage } from '@tenon/kernel'
import type { PromptedDialect, WrittenCall } from './dialect.js'
import { choiceInWords } from './tool-list.js'

/** The name of the dialect as blocks carry it: what was read by prompt never goes back to a wire as its own. */
export const dialectName = (dialect: PromptedDialect): string => `prompted-${dialect.name}`

/**
 * The same request for a model that knows nothing of tools: the tools stand in the system prompt, calls and results in
 * the history as the text that the model should have written and been given.
 */
export function rewriteRequest(request: ModelRequest, dialect: PromptedDialect, inner: Author): ModelRequest {
  const { output: _, settings, ...rest } = request
  const last = request.tools.length > 0 ? choiceInWords(request.toolChoice) : ''
  const messages = request.messages.map((message) => rewriteMessage(message, dialect, inner))
  return {
    ...rest,
    system: [...request.system, ...addedSystem(request, dialect)],
    messages: last === '' ? messages : [...messages, hostMessage(last)],
    tools: [],
    toolChoice: 'auto',
    settings: { ...settings, stop: [...(settings.stop ?? []), ...(request.tools.length > 0 ? dialect.stop : [])] },
  }
}

function addedSystem(request: ModelRequest, dialect: PromptedDialect): readonly TextBlock[] {
  const added: TextBlock[] = []
  if (request.tools.length > 0) added.push(text(dialect.instructions(request.tools)))
  if (request.output !== undefined) {
    const schema = JSON.stringify(request.output.schema)
    added.push(text(`The final answer must be JSON and nothing else, and fit this JSON Schema:\n${schema}`))
  }
  return added
}

function rewriteMessage(message: Message, dialect: PromptedDialect, inner: Author): Message {
  if (message.role === 'assistant') return rewriteTurn(message, dialect, inner)
  if (message.role === 'tool') return rewriteResults(message, dialect)
  return message
}

/** A turn in the dialect's own form. Parts that only the model's own wire understands stay as they are. */
function rewriteTurn(message: AssistantMessage, dialect: PromptedDialect, inner: Author): AssistantMessage {
  const kept: TurnBlock[] = []
  const thoughts: string[] = []
  const said: string[] = []
  const calls: WrittenCall[] = []
  for (const block of message.blocks) {
    if (block.kind === 'text') said.push(block.text)
    else if (block.kind === 'tool-call') calls.push(writtenCall(block))
    else if (block.kind === 'reasoning' && block.author?.dialect !== inner.dialect) {
      if (block.seal === 'none' && dialect.keepsThoughts) thoughts.push(block.text)
    } else kept.push(block)
  }
  const isCall = calls.length > 0
  const thought = [...thoughts, ...(isCall ? said : [])].join('\n')
  const answer = isCall || said.length === 0 ? null : said.join('\n')
  const written = dialect.writeTurn(thought === '' ? null : thought, calls, answer)
  return { role: 'assistant', blocks: written === '' ? kept : [...kept, { ...text(written), author: inner }] }
}

function writtenCall(block: Extract<TurnBlock, { kind: 'tool-call' }>): WrittenCall {
  const { name, args, argsText, problem } = block
  return problem === undefined || argsText === undefined ? { name, args } : { name, args, written: argsText }
}

/** Observations as the user's next message; what is no text stands behind them. */
function rewriteResults(message: ToolMessage, dialect: PromptedDialect): UserMessage {
  const texts: string[] = []
  const others: ContentBlock[] = []
  let provenance: Provenance | undefined
  for (const { name, content, isError, provenance: from } of message.blocks) {
    const lines: string[] = []
    for (const block of content) {
      if (block.kind === 'text') lines.push(block.text)
      else others.push(block)
    }
    texts.push(dialect.writeObservation(name, lines.join('\n'), isError))
    provenance = provenance === undefined ? from : { ...from, trust: leastTrust(from.trust, provenance.trust) }
  }
  return userMessage([text(texts.join('\n')), ...others], provenance)
}

import type { ContentBlock, ToolResultBlock, TurnBlock } from '../content/block.js'
import { text } from '../content/block.js'
import { History } from '../content/history.js'
import type { CallId } from '../content/ids.js'
import type { Message, UserMessage } from '../content/message.js'
import type { Trust } from '../content/provenance.js'
import { HOST, leastTrust } from '../content/provenance.js'
import { blockTokens } from '../ledger/estimate.js'
import type { GrownKind, GrownPart, Rewrite } from '../ledger/part.js'
import { RollingDigest } from '../ledger/rolling-digest.js'

const GROWN: readonly GrownKind[] = [
  'prompt',
  'history',
  'scratchpad',
  'tool-outputs',
  'sub-agent-outputs',
  'artifacts',
]

class Grown {
  tokens = 0
  count = 0
  trust: Trust = 'host'

  constructor(readonly kind: GrownKind) {}
}

/** What a turn leaves in the history: its blocks, and one observation for each of its calls. */
export type TurnRecord = { readonly blocks: readonly TurnBlock[]; readonly results: readonly ToolResultBlock[] }

/**
 * The messages of one scope. It only grows at its end, at the moment a turn begins, so the next request is the last
 * one plus what was appended; the one exception is a journalled rewrite.
 */
export class Transcript {
  #history = new History()
  readonly #waiting: UserMessage[] = []
  #grown = emptyGrown()
  #digest = new RollingDigest()
  #trust: Trust = 'host'

  get messages(): readonly Message[] {
    return this.#history.messages
  }

  /** The least trust of anything that these messages hold. */
  get trust(): Trust {
    return this.#trust
  }

  get tokens(): number {
    let sum = 0
    for (const kind of GROWN) sum += this.#grown[kind].tokens
    return sum
  }

  /** A message that the next turn will see, after the observations of the one before. */
  wait(message: UserMessage): void {
    this.#waiting.push(message)
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Closes the last turn, if there is one, and lets in the messages that waited. */
  grow(turn: TurnRecord | undefined): void {
    if (turn && turn.blocks.length > 0) {
      this.#append({ role: 'assistant', blocks: turn.blocks })
      if (turn.results.length > 0) this.#append({ role: 'tool', blocks: turn.results })
    }
    if (this.#waiting.length > 0) for (const message of this.#waiting.splice(0)) this.#append(message)
  }

  /** @throws KernelError `history-orphan` if it would part a call from its result; nothing has changed then. */
  rewrite(rewrite: Rewrite): void {
    const old = this.#history.messages
    const kept = History.of(rewrite.kind === 'summarise' ? summarised(old, rewrite) : cleared(old, rewrite)).messages
    this.#history = new History()
    this.#grown = emptyGrown()
    this.#digest = new RollingDigest()
    for (const message of kept) this.#append(message)
  }

  /** Tokens of one kind of part. */
  tokensOf(kind: GrownKind): number {
    return this.#grown[kind].tokens
  }

  get digest(): number {
    return this.#digest.value
  }

  /** What these messages hold, by kind. */
  get grown(): readonly GrownPart[] {
    return GROWN.map((kind) => this.#grown[kind]).filter(({ count }) => count > 0)
  }

  #append(message: Message): void {
    this.#history.append(message)
    this.#digest.addMessage(message)
    if (message.role === 'user') {
      this.#trust = leastTrust(this.#trust, message.provenance.trust)
      for (const block of message.blocks) this.#count('prompt', block, message.provenance.trust)
    } else if (message.role === 'assistant') {
      for (const block of message.blocks)
        this.#count(block.kind === 'reasoning' ? 'scratchpad' : 'history', block, this.#trust)
    } else
      for (const block of message.blocks) {
        this.#trust = leastTrust(this.#trust, block.provenance.trust)
        const outside = block.provenance.source === 'run' || block.provenance.source === 'peer'
        this.#count(outside ? 'sub-agent-outputs' : 'tool-outputs', block, block.provenance.trust)
        for (const part of block.content)
          if (part.kind === 'artifact') this.#count('artifacts', part, block.provenance.trust)
      }
  }

  #count(kind: GrownKind, block: TurnBlock | ContentBlock | ToolResultBlock, trust: Trust): void {
    const grown = this.#grown[kind]
    grown.tokens += blockTokens(block)
    grown.count++
    grown.trust = leastTrust(grown.trust, trust)
  }
}

const emptyGrown = (): Record<GrownKind, Grown> => ({
  prompt: new Grown('prompt'),
  history: new Grown('history'),
  scratchpad: new Grown('scratchpad'),
  'tool-outputs': new Grown('tool-outputs'),
  'sub-agent-outputs': new Grown('sub-agent-outputs'),
  artifacts: new Grown('artifacts'),
})

/** What stands in place of an observation that was taken out to make room. Its handles stay. */
function cleared(messages: readonly Message[], rewrite: Exclude<Rewrite, { kind: 'summarise' }>): readonly Message[] {
  const handles = new Map<CallId, string | undefined>()
  if (rewrite.kind === 'clear') for (const callId of rewrite.calls) handles.set(callId, undefined)
  else for (const { callId, artifactId } of rewrite.calls) handles.set(callId, artifactId)
  return messages.map((message) =>
    message.role === 'tool' && message.blocks.some((block) => handles.has(block.callId))
      ? { role: 'tool', blocks: message.blocks.map((block) => clearedBlock(block, handles)) }
      : message,
  )
}

function clearedBlock(block: ToolResultBlock, handles: ReadonlyMap<CallId, string | undefined>): ToolResultBlock {
  if (!handles.has(block.callId)) return block
  const artifacts = block.content.filter((part) => part.kind === 'artifact')
  const handle = handles.get(block.callId) ?? artifacts[0]?.artifactId
  const way = handle ? `read_artifact with ${handle} has it whole` : `call ${block.name} again if you need it`
  return { ...block, content: [text(`[This output was taken out of the context to make room; ${way}.]`), ...artifacts] }
}

function summarised(
  messages: readonly Message[],
  rewrite: Extract<Rewrite, { kind: 'summarise' }>,
): readonly Message[] {
  const summary: UserMessage = { role: 'user', blocks: [text(rewrite.summary)], provenance: rewrite.provenance ?? HOST }
  return [summary, ...messages.slice(rewrite.before)]
}

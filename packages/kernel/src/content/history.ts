import { KernelError } from '../errors/kernel-errors.js'
import type { CallId } from './ids.js'
import type { Message } from './message.js'

/**
 * A list of messages in which every call has exactly one result, in the message that follows its turn and in the order
 * of the calls. There is no other way to make one, so an orphan call or an orphan result cannot reach a provider.
 */
export class History {
  readonly #messages: Message[] = []
  #open: readonly CallId[] = []

  /** @throws KernelError `history-orphan` if one of the messages would leave an orphan behind it. */
  static of(messages: readonly Message[]): History {
    const history = new History()
    for (const message of messages) history.append(message)
    history.seal()
    return history
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** @throws KernelError `history-orphan`; the history is unchanged then. */
  append(message: Message): void {
    if (message.role === 'tool') {
      const open = this.#open
      if (message.blocks.length !== open.length)
        throw orphan(`${open.length} calls got ${message.blocks.length} results`)
      for (const [index, block] of message.blocks.entries())
        if (block.callId !== open[index]) throw orphan(`result ${block.callId} stands where ${open[index]} was called`)
      this.#open = []
    } else {
      this.seal()
      if (message.role === 'assistant') this.#open = callsOf(message.blocks)
    }
    this.#messages.push(message)
  }

  /** @throws KernelError `history-orphan` if the last turn's calls have no results yet. */
  seal(): void {
    if (this.#open.length > 0) throw orphan(`call ${this.#open[0]} has no result`)
  }
}

function callsOf(blocks: Extract<Message, { role: 'assistant' }>['blocks']): readonly CallId[] {
  const calls: CallId[] = []
  for (const block of blocks) if (block.kind === 'tool-call') calls.push(block.callId)
  if (calls.length > 1 && new Set(calls).size < calls.length) {
    const twice = calls.find((callId, index) => calls.indexOf(callId) < index)
    throw orphan(`call id ${twice} is used twice in one turn`)
  }
  return calls
}

const orphan = (what: string): KernelError => new KernelError('history-orphan', `The history is not whole: ${what}.`)

import type { Message, ModelRequest, ToolResultBlock } from '@tenon/kernel'
import { plainText } from '@tenon/kernel'

/** One tool result as it stands in the view. */
export type ShownResult = { readonly tool: string; readonly text: string; readonly isError: boolean }

/** What a request shows a model, in the words that scenes are matched on. */
export type Shown = {
  readonly goal: string
  readonly user: string
  readonly system: string
  readonly tools: readonly string[]
  readonly turns: number
  /** Results of the last turn, unless the user has spoken since. */
  readonly results: readonly ShownResult[]
  /** All results, oldest first. */
  readonly seen: readonly ShownResult[]
}

export function shownBy(request: ModelRequest): Shown {
  const said = request.messages.filter((message) => message.role === 'user' && message.provenance.source !== 'host')
  const spoken = said.length > 0 ? said : request.messages.filter((message) => message.role === 'user')
  const last = request.messages.findLast((message) => !isAside(message))
  const observed = request.messages.filter((message) => message.role === 'tool')
  return {
    goal: textOf(spoken.at(0)),
    user: textOf(spoken.at(-1)),
    system: plainText(request.system),
    tools: request.toolChoice === 'none' ? [] : request.tools.map((tool) => tool.name),
    turns: request.messages.filter((message) => message.role === 'assistant').length,
    results: last?.role === 'tool' ? last.blocks.map(shownResult) : [],
    seen: observed.flatMap((message) => message.blocks.map(shownResult)),
  }
}

/** A reminder or a correction of the host stands beside the conversation: it neither ends nor opens a turn. */
const isAside = (message: Message): boolean => message.role === 'user' && message.provenance.source === 'host'

const textOf = (message: Message | undefined): string => (message === undefined ? '' : plainText(message.blocks))

const shownResult = (block: ToolResultBlock): ShownResult => ({
  tool: block.name,
  text: plainText(block.content),
  isError: block.isError,
})

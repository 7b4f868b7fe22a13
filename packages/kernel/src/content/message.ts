import type { ContentBlock, ToolResultBlock, TurnBlock } from './block.js'
import { text } from './block.js'
import type { Provenance } from './provenance.js'
import { HOST, USER } from './provenance.js'

export type UserMessage = {
  readonly role: 'user'
  readonly blocks: readonly ContentBlock[]
  readonly provenance: Provenance
}
export type AssistantMessage = { readonly role: 'assistant'; readonly blocks: readonly TurnBlock[] }
/** The observations of one turn, in the order of its proposals. */
export type ToolMessage = { readonly role: 'tool'; readonly blocks: readonly ToolResultBlock[] }

export type Message = UserMessage | AssistantMessage | ToolMessage

export const userMessage = (said: string | readonly ContentBlock[], provenance: Provenance = USER): UserMessage =>
  Object.freeze({ role: 'user', blocks: typeof said === 'string' ? [text(said)] : said, provenance })

/** Something the host tells the model: a correction, a reminder, a steering note. */
export const hostMessage = (said: string): UserMessage => userMessage(said, HOST)

import type { ContentBlock, Json, JsonObject, Provenance, UserMessage } from '@tenon/kernel'
import { isJsonObject, userMessage } from '@tenon/kernel'
import { isMemory, memoryBlock } from './memory-block.js'
import { A2A_AUTHOR, blockOfPart, partsOfBlocks } from './part-blocks.js'
import type { WireMessage } from './wire-types.js'

/** What a message has beside its parts: kept with the run, so that the message comes back as it was. */
export type MessageFrame = Omit<WireMessage, 'role' | 'parts' | 'taskId' | 'contextId'>

const FRAME = 'messageFrame'

export function frameOf({ messageId, metadata, extensions, referenceTaskIds }: WireMessage): MessageFrame {
  return {
    messageId,
    ...(metadata === undefined ? {} : { metadata }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(referenceTaskIds === undefined ? {} : { referenceTaskIds }),
  }
}

/**
 * A caller's message as a run is given it. `memory` is what earlier tasks of the context said, as the model reads it;
 * it is no part of the message and does not come back. The frame is carried by a block that says nothing to a model.
 */
export function goalOf(message: WireMessage, caller: string, memory?: string): UserMessage {
  const provenance: Provenance = { source: 'peer', name: caller, trust: 'user' }
  const blocks: ContentBlock[] = message.parts.map(blockOfPart)
  const first = blocks[0]
  if (first !== undefined && first.kind !== 'artifact') {
    const raw: JsonObject = { ...(isJsonObject(first.raw) ? first.raw : {}), [FRAME]: frameOf(message) as Json }
    blocks[0] = { ...first, author: A2A_AUTHOR, raw }
  }
  if (memory !== undefined) blocks.push(memoryBlock(memory))
  return userMessage(blocks, provenance)
}

/** The message that a run was given. `fallbackId` is its id where it did not come over A2A. */
export function messageOf(
  said: UserMessage,
  ids: { taskId: string; contextId: string; fallbackId: string },
): WireMessage {
  const own = said.blocks.filter((block) => !isMemory(block))
  const first = own[0]
  const raw = first !== undefined && first.kind !== 'artifact' && isJsonObject(first.raw) ? first.raw : {}
  const { [FRAME]: frame, ...rest } = raw
  const clean = first === undefined || frame === undefined ? own : [withRaw(first, rest), ...own.slice(1)]
  return {
    messageId: ids.fallbackId,
    ...(isJsonObject(frame) ? (frame as MessageFrame) : {}),
    role: 'ROLE_USER',
    taskId: ids.taskId,
    contextId: ids.contextId,
    parts: partsOfBlocks(clean),
  }
}

function withRaw(block: ContentBlock, raw: JsonObject): ContentBlock {
  if (block.kind === 'artifact') return block
  const { raw: _, author: __, ...bare } = block
  return Object.keys(raw).length === 0 ? bare : { ...bare, author: A2A_AUTHOR, raw }
}

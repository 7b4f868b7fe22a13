import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { Delegation, type OutPart } from '@tenon/a2a'
import { followTask } from '../../a2a/follow-task.js'
import { mediaTypeOfFile } from '../../a2a/media-type-of-file.js'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { type ShowOptions, showDelegation } from '../../a2a/show-delegation.js'
import { readSmallFile } from '../../config/read-text-file.js'
import { HostError } from '../../errors.js'
import type { Io } from '../io.js'
import { readAll } from '../read-all.js'

export type A2aSendOptions = PeerOptions &
  ShowOptions & {
    readonly task?: string
    readonly context?: string
    readonly file?: readonly string[]
  }

/** `tenon a2a send` and `tenon a2a answer`. Ctrl-C leaves; the task goes on. */
export async function a2aSend(
  io: Io,
  written: string,
  words: readonly string[],
  options: A2aSendOptions,
): Promise<number> {
  const text = words.length === 1 && words[0] === '-' ? await readAll(io.stdin) : words.join(' ')
  if (text.trim() === '' && options.file === undefined)
    throw new HostError('usage', 'The message is empty. Say what is wanted: tenon a2a send PEER "…"')
  const said = text.trim() === '' ? [] : [{ text }]
  const parts: readonly OutPart[] = [...said, ...(options.file ?? []).map((file) => filePart(resolve(io.cwd, file)))]
  const peer = peerAtHand(io, written, options)
  try {
    return await followTask(io, async (context) => {
      const link = await peer.link(context.signal)
      const { task, context: contextId } = options
      const place = contextId === undefined ? {} : { contextId }
      const messageId = randomUUID()
      const message = { messageId, parts, ...place, ...(task === undefined ? {} : { taskId: task }) }
      return await showDelegation(io, new Delegation(peer, link, context, undefined).begin(message), options)
    })
  } finally {
    await peer.close()
  }
}

const MOST_BYTES = 8 * 1024 * 1024

function filePart(file: string): OutPart {
  const [bytes, filename] = [readSmallFile(file, MOST_BYTES), basename(file)]
  return { raw: bytes.toString('base64'), filename, mediaType: mediaTypeOfFile(filename, bytes) }
}

import type { ContentBlock, Json, MediaBlock } from '@tenon/kernel'
import { isShowable, mediaUrl, toldArtifact, toldMedia } from '../wire/told-media.js'
import type { ChatQuirks } from './chat-quirks.js'

/** Content as the chat dialect takes it: a text where that is all, else a list of parts. */
export function chatContent(blocks: readonly ContentBlock[], quirks: ChatQuirks): Json {
  const parts: Json[] = []
  let onlyText = true
  for (const block of blocks) {
    if (block.kind === 'text') parts.push({ type: 'text', text: block.text })
    else if (block.kind === 'artifact') parts.push({ type: 'text', text: toldArtifact(block) })
    else {
      const part = mediaPart(block, quirks)
      if (part !== undefined) onlyText = false
      parts.push(part ?? { type: 'text', text: toldMedia(block) })
    }
  }
  return onlyText ? textOfParts(parts) : parts
}

/** Text of a tool's result, and what of it only a user's message can show. */
export function chatResult(
  blocks: readonly ContentBlock[],
  quirks: ChatQuirks,
): { readonly text: string; readonly shown: readonly Json[] } {
  const lines: string[] = []
  const shown: Json[] = []
  for (const block of blocks) {
    if (block.kind === 'text') lines.push(block.text)
    else if (block.kind === 'artifact') lines.push(toldArtifact(block))
    else {
      const part = mediaPart(block, quirks)
      if (part === undefined) lines.push(toldMedia(block))
      else {
        lines.push(`[${block.kind} (${block.mediaType}): shown in the next message]`)
        shown.push(part)
      }
    }
  }
  return { text: lines.join('\n'), shown }
}

function mediaPart(block: MediaBlock, quirks: ChatQuirks): Json | undefined {
  if (!isShowable(block, quirks.media)) return undefined
  const url = mediaUrl(block)
  if (url === undefined) return undefined
  if (block.kind === 'image') return { type: 'image_url', image_url: { url } }
  if (block.source.kind !== 'data') return undefined
  if (block.kind === 'audio') {
    const format = /wav/.test(block.mediaType) ? 'wav' : /mpeg|mp3/.test(block.mediaType) ? 'mp3' : undefined
    return format === undefined
      ? undefined
      : { type: 'input_audio', input_audio: { data: block.source.base64, format } }
  }
  return { type: 'file', file: { filename: block.name ?? 'file', file_data: url } }
}

function textOfParts(parts: readonly Json[]): string {
  return parts.map((part) => (part as { readonly text: string }).text).join('\n')
}

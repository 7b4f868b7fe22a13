import { type JsonObject, type Tool, text } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import { isWellFormed } from './file-text.js'
import { readableSize } from './readable-size.js'
import { replaceFile } from './replace-file.js'
import type { Workspace } from './workspace.js'

const MOST_BYTES = 10 * 1_024 * 1_024

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, description: 'Path of the file in the workspace; folders are made.' },
    content: { type: 'string', description: 'The whole text of the file.' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
})

/**
 * Writes a whole file as UTF-8, up to 10 MB, whole or not at all. Writing the same again changes nothing, so a call
 * that was cut off is repeated.
 */
export function writeFileTool(workspace: Workspace): Tool {
  return Object.freeze({
    name: 'write_file',
    title: 'Write a file',
    description:
      'Writes a whole text file in the workspace, new or in place of the old one. To change a part, use edit_file.',
    input: INPUT,
    effect: 'idempotent',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'host',
    concurrency: 1,
    timeoutMs: 60_000,
    async run(args: JsonObject) {
      const { path, content } = args as { path: string; content: string }
      const bytes = encodeText(content, path)
      const place = await workspace.target(path)
      const replaced = await replaceFile(workspace, place, bytes)
      return {
        kind: 'result',
        content: [text(`${replaced ? 'Replaced' : 'Created'} ${place.shown} (${readableSize(bytes.length)}).`)],
        value: { path: place.shown, bytes: bytes.length, replaced },
      }
    },
  } satisfies Tool)
}

/** @throws HostError `file-too-large`, `file-not-text` */
export function encodeText(content: string, path: string): Uint8Array {
  if (!isWellFormed(content))
    throw new HostError(
      'file-not-text',
      `The text for ${JSON.stringify(path)} holds half of a surrogate pair, which no file can hold. Nothing was written.`,
    )
  const bytes = Buffer.from(content)
  if (bytes.length > MOST_BYTES)
    throw new HostError(
      'file-too-large',
      `The text for ${JSON.stringify(path)} has ${readableSize(bytes.length)}; 10 MB is the most. Nothing was written.`,
    )
  return bytes
}

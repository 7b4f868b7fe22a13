import { createHash } from 'node:crypto'
import { type HandEvent, isJsonObject, type Json, type JsonObject, type Tool, text } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import { type Edit, exactEdit } from './exact-edit.js'
import { decodeText } from './file-text.js'
import { type FileVersion, replaceFile } from './replace-file.js'
import type { Place, Workspace } from './workspace.js'
import { encodeText } from './write-file.js'

const MOST_BYTES = 10 * 1_024 * 1_024

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, description: 'Path of the file in the workspace.' },
    old: { type: 'string', description: 'The text to replace, exactly as it stands in the file; must occur once.' },
    new: { type: 'string', description: 'The text to put there.' },
    all: { type: 'boolean', description: 'Replace every occurrence. False if absent.' },
  },
  required: ['path', 'old', 'new'],
  additionalProperties: false,
})

/** Digests of the file before and after: enough to know, after a restart, whether the edit was done. */
type Handle = { readonly before: string; readonly after: string; readonly lines: readonly number[] }

/**
 * Replaces a text that occurs exactly once. Repeating an edit may do it twice (the new text may hold the old), so the
 * effect is `once`; a handle of digests lets a call that was cut off find out what became of it and finish.
 */
export function editFileTool(workspace: Workspace): Tool {
  return Object.freeze({
    name: 'edit_file',
    title: 'Edit a file',
    description:
      'Replaces a text in a file of the workspace. The old text must match exactly and occur once, unless all is set.',
    input: INPUT,
    effect: 'once',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'host',
    concurrency: 1,
    timeoutMs: 60_000,
    run: (args: JsonObject, { handle }) => edit(workspace, args as unknown as Edit & { path: string }, handle),
  } satisfies Tool)
}

async function* edit(
  workspace: Workspace,
  args: Edit & { readonly path: string },
  handle: Json | undefined,
): AsyncGenerator<HandEvent> {
  const place = await workspace.target(args.path)
  const file = await readWhole(workspace, args.path)
  const earlier = readHandle(handle)
  if (earlier !== undefined) {
    if (digest(file.bytes) === earlier.after) {
      yield done(place, earlier.lines)
      return
    }
    if (digest(file.bytes) !== earlier.before)
      throw new HostError(
        'file-changed',
        `${JSON.stringify(place.shown)} was changed by somebody else while the edit was interrupted. Read it again.`,
      )
  }
  const edited = exactEdit(decodeText(file.bytes, place.shown), args, place.shown)
  const bytes = encodeText(edited.text, place.shown)
  const lines = edited.lines.slice(0, 100)
  if (earlier === undefined)
    yield { kind: 'handle', handle: { before: digest(file.bytes), after: digest(bytes), lines } }
  await replaceFile(workspace, place, bytes, file.version)
  yield done(place, lines)
}

const done = (place: Place, lines: readonly number[]): HandEvent => ({
  kind: 'result',
  content: [
    text(
      lines.length === 1
        ? `Edited ${place.shown} at line ${lines[0]}.`
        : `Edited ${place.shown} at ${lines.length === 100 ? '100 or more' : lines.length} places.`,
    ),
  ],
  value: { path: place.shown, lines },
})

async function readWhole(workspace: Workspace, path: string): Promise<{ bytes: Uint8Array; version: FileVersion }> {
  const { handle, stats, place } = await workspace.openFile(path)
  try {
    if (stats.size > MOST_BYTES)
      throw new HostError('file-too-large', `${JSON.stringify(place.shown)} is larger than 10 MB and is not edited.`)
    return { bytes: await handle.readFile(), version: stats }
  } finally {
    await handle.close()
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url')

function readHandle(handle: Json | undefined): Handle | undefined {
  if (!isJsonObject(handle)) return undefined
  const { before, after, lines } = handle
  if (typeof before !== 'string' || typeof after !== 'string' || !Array.isArray(lines)) return undefined
  return { before, after, lines: lines as readonly number[] }
}

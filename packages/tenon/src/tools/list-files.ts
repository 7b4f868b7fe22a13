import { type JsonObject, type Tool, type Trust, text } from '@tenon/kernel'
import { deferredSchema } from '../schema/to-schema.js'
import { fileOrigin } from './file-origin.js'
import { globMatcher } from './glob.js'
import { readableSize } from './readable-size.js'
import { type WalkedEntry, walkFiles } from './walk-files.js'
import type { Workspace } from './workspace.js'

const DEFAULT_DEPTH = 3
const MOST_DEPTH = 20
const MOST_ENTRIES = 1_000

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Folder in the workspace; the whole workspace if absent.' },
    depth: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_DEPTH,
      description: `How many levels; ${DEFAULT_DEPTH} if absent, ${MOST_DEPTH} with a pattern.`,
    },
    pattern: { type: 'string', description: 'Only files that match, such as "*.md" or "src/**/*.{ts,tsx}".' },
  },
  additionalProperties: false,
})

type Args = { readonly path?: string; readonly depth?: number; readonly pattern?: string }

/** Lists a folder with sizes, at most 1,000 entries; folders of tools such as .git and node_modules stay closed. */
export function listFilesTool(workspace: Workspace, trust: Trust): Tool {
  return Object.freeze({
    name: 'list_files',
    title: 'List files',
    description: 'Lists the files and folders of the workspace with their sizes.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust,
    timeoutMs: 60_000,
    async run(args: JsonObject, { signal }) {
      const { path = '.', pattern, depth = pattern === undefined ? DEFAULT_DEPTH : MOST_DEPTH } = args as Args
      const matches = pattern === undefined ? undefined : globMatcher(pattern)
      const folder = await workspace.folder(path)
      const entries: WalkedEntry[] = []
      let more = false
      for await (const entry of walkFiles(workspace, folder, { depth, signal })) {
        if (matches !== undefined && entry.more === undefined && (entry.kind === 'folder' || !matches(entry.path)))
          continue
        if (entries.length === MOST_ENTRIES) {
          more = true
          break
        }
        entries.push(entry)
      }
      const lines = entries.map(lineOf)
      if (more) lines.push(`[More than ${MOST_ENTRIES} entries: list a folder inside, or give a pattern.]`)
      if (lines.length === 0) lines.push(matches === undefined ? `${folder.shown} is empty` : 'No file matches.')
      return {
        kind: 'result',
        content: [text(lines.join('\n'))],
        value: { entries: entries.map(({ path, kind, bytes }) => ({ path, kind, bytes })), more },
        provenance: fileOrigin(folder.shown, trust),
      }
    },
  } satisfies Tool)
}

const CLOSED = { skipped: 'not listed', 'too-deep': 'not opened', denied: 'access denied' } as const

function lineOf({ path, kind, bytes, closed, more }: WalkedEntry): string {
  if (more) return `[${path} has more entries than are listed]`
  switch (kind) {
    case 'folder':
      return closed === undefined ? `${path}/` : `${path}/  (${CLOSED[closed]})`
    case 'file':
      return `${path}  ${readableSize(bytes)}`
    case 'link':
      return `${path}  (link)`
    case 'special':
      return `${path}  (device, socket or pipe)`
  }
}

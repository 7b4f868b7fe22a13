import { type HandResult, type JsonObject, type Tool, type Trust, text } from '@tenon/kernel'
import { deferredSchema } from '../schema/to-schema.js'
import { fileOrigin } from './file-origin.js'
import { looksBinary } from './file-text.js'
import { globMatcher } from './glob.js'
import { inOrder } from './in-order.js'
import { type FoundLine, type LineQuery, lineFinder } from './line-finder.js'
import { walkFiles } from './walk-files.js'
import type { Workspace } from './workspace.js'

const DEFAULT_RESULTS = 100
const MOST_RESULTS = 1_000
const MOST_FILE = 10 * 1_024 * 1_024
const MOST_BYTES = 512 * 1_024 * 1_024
const MOST_DEPTH = 40
const READ_AHEAD = 8

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'Text to find within a line.' },
    regex: { type: 'boolean', description: 'The query is a regular expression (JavaScript). False if absent.' },
    ignoreCase: { type: 'boolean', description: 'False if absent.' },
    path: { type: 'string', description: 'Folder or file to search; the whole workspace if absent.' },
    files: { type: 'string', description: 'Only files that match, such as "*.md" or "src/**/*.ts".' },
    results: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, description: `${DEFAULT_RESULTS} if absent.` },
  },
  required: ['query'],
  additionalProperties: false,
})

type Args = LineQuery & {
  readonly path?: string
  readonly files?: string
  readonly results?: number
}

type Match = FoundLine & { readonly path: string }

/** Finds lines by text or regular expression. A pattern that backtracks without end is stopped and named. */
export function searchFilesTool(workspace: Workspace, trust: Trust): Tool {
  return Object.freeze({
    name: 'search_files',
    title: 'Search in files',
    description: 'Finds the lines of text files in the workspace that hold a text or match a regular expression.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust,
    timeoutMs: 60_000,
    run: (args: JsonObject, { signal, progress }) => search(workspace, args as Args, trust, signal, progress),
  } satisfies Tool)
}

async function search(
  workspace: Workspace,
  args: Args,
  trust: Trust,
  signal: AbortSignal,
  progress: (message: string) => void,
): Promise<HandResult> {
  const most = args.results ?? DEFAULT_RESULTS
  const find = lineFinder(args)
  const found: Match[] = []
  const skipped = { binary: 0, large: 0, unreadable: 0 }
  let files = 0
  let bytes = 0
  let ended: string | undefined
  const read = async (path: string) => ({ path, content: await textOf(workspace, path, skipped) })
  for await (const { path, content } of inOrder(pathsOf(workspace, args, signal), READ_AHEAD, read)) {
    signal.throwIfAborted()
    if (bytes > MOST_BYTES) ended = 'after 512 MB of files; search a folder inside'
    else if (found.length > most) ended = `after ${most} lines; narrow the query, or ask for more results`
    if (ended !== undefined) break
    if (content === undefined) continue
    bytes += content.length
    if (++files % 200 === 0) progress(`${files} files searched`)
    for (const match of find(content)) {
      found.push({ path, ...match })
      if (found.length > most) break
    }
  }
  if (found.length > most) ended ??= `after ${most} lines; narrow the query, or ask for more results`
  const shown = found.slice(0, most)
  const lines = shown.map((match) => `${match.path}:${match.line}: ${match.text}`)
  if (lines.length === 0) lines.push(`No line matches, in ${files} files.`)
  if (ended !== undefined) lines.push(`[The search ended ${ended}.]`)
  const left = [
    ...(skipped.binary > 0 ? [`${skipped.binary} binary`] : []),
    ...(skipped.large > 0 ? [`${skipped.large} above 10 MB`] : []),
    ...(skipped.unreadable > 0 ? [`${skipped.unreadable} unreadable`] : []),
  ]
  if (left.length > 0) lines.push(`[Files not searched: ${left.join(', ')}.]`)
  return {
    kind: 'result',
    content: [text(lines.join('\n'))],
    value: { matches: shown, files, more: ended !== undefined },
    provenance: fileOrigin(args.path ?? '.', trust),
  }
}

async function* pathsOf(workspace: Workspace, args: Args, signal: AbortSignal): AsyncGenerator<string> {
  const { path = '.', files } = args
  const matches = files === undefined ? () => true : globMatcher(files)
  let folder: Awaited<ReturnType<Workspace['folder']>>
  try {
    folder = await workspace.folder(path)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'path-kind') throw error
    const { handle, place } = await workspace.openFile(path)
    await handle.close()
    yield place.shown
    return
  }
  for await (const entry of walkFiles(workspace, folder, { depth: MOST_DEPTH, signal }))
    if (entry.kind === 'file' && matches(entry.path)) yield entry.path
}

async function textOf(
  workspace: Workspace,
  path: string,
  skipped: { binary: number; large: number; unreadable: number },
): Promise<string | undefined> {
  let file: Awaited<ReturnType<Workspace['openFile']>>
  try {
    file = await workspace.openFile(path)
  } catch {
    skipped.unreadable++
    return undefined
  }
  try {
    if (file.stats.size > MOST_FILE) {
      skipped.large++
      return undefined
    }
    const bytes = await file.handle.readFile()
    if (looksBinary(bytes)) {
      skipped.binary++
      return undefined
    }
    // Bytes that are no UTF-8 become replacement characters: the rest of the file can still be searched.
    return bytes.toString('utf8')
  } finally {
    await file.handle.close()
  }
}

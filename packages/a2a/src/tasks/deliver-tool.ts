import {
  ArtifactId,
  type Checked,
  type HandResult,
  isJsonObject,
  type Json,
  type JsonObject,
  type Schema,
  type SchemaProblem,
  type Tool,
  text,
} from '@tenon/kernel'
import type { SqliteArtifacts } from '@tenon/store'
import { DELIVERY, deliverableValue } from '../mapping/deliverable.js'
import type { WirePart } from '../mapping/wire-types.js'
import { keptBytes } from './kept-bytes.js'

export const DELIVER = 'deliver_artifact'

const FIELDS: JsonObject = {
  name: {
    type: 'string',
    minLength: 1,
    description: 'What it is called. The same name again replaces or continues it.',
  },
  text: { type: 'string', description: 'Its content, where it is text.' },
  data: { description: 'Its content, where it is JSON.' },
  handle: { type: 'string', description: 'The handle of an output that is kept, to be handed over as it is.' },
  mediaType: { type: 'string', description: 'Such as text/markdown.' },
  append: { type: 'boolean', description: 'Continue what was delivered under this name.' },
}

/**
 * Hands a deliverable to whoever gave the task, while the work goes on: it becomes an artifact of the task as soon as
 * the call has settled.
 */
export function deliverTool(artifacts: Pick<SqliteArtifacts, 'meta' | 'read'>): Tool {
  const kept = keptBytes(artifacts)
  return Object.freeze({
    name: DELIVER,
    title: 'Deliver an artifact',
    description:
      'Hands a result to whoever gave the task: a document, data or a file. Give one of text, data and handle.',
    input: inputSchema(),
    // Nothing happens in the call itself: its journalled value is the deliverable.
    effect: 'pure',
    origin: DELIVERY,
    trust: 'host',
    concurrency: 1,
    run(args: JsonObject): HandResult {
      const name = String(args.name)
      const part = partOf(args)
      if (part === undefined)
        return {
          kind: 'result',
          content: [text('There is no output with this handle, or it is too large.')],
          isError: true,
        }
      const artifact = { artifactId: name, name, parts: [part] }
      return {
        kind: 'result',
        content: [text(`Delivered ${JSON.stringify(name)}.`)],
        value: deliverableValue({ artifact, append: args.append === true, lastChunk: args.append !== true }),
      }
    },
  } satisfies Tool)

  function partOf({ text: said, data, handle, mediaType }: JsonObject): WirePart | undefined {
    const typed = typeof mediaType === 'string' ? { mediaType } : {}
    if (typeof said === 'string') return { text: said, ...typed }
    if (data !== undefined) return { data, ...typed }
    const bytes = kept(ArtifactId(String(handle)))
    const known = artifacts.meta(ArtifactId(String(handle)))
    if (bytes === undefined || known === undefined) return undefined
    return { raw: Buffer.from(bytes).toString('base64'), filename: known.name, mediaType: known.mediaType, ...typed }
  }
}

/** Written out, because this package has no schema compiler. */
function inputSchema(): Schema {
  const json: JsonObject = { type: 'object', properties: FIELDS, required: ['name'], additionalProperties: false }
  return Object.freeze({ json, check })
}

function check(value: Json): Checked {
  if (!isJsonObject(value)) return { ok: false, problems: [{ path: '', message: 'must be an object' }] }
  const problems: SchemaProblem[] = []
  for (const key of Object.keys(value))
    if (!Object.hasOwn(FIELDS, key)) problems.push({ path: `/${key}`, message: 'is not a known key' })
  if (typeof value.name !== 'string' || value.name === '') problems.push({ path: '/name', message: 'must be a name' })
  for (const key of ['text', 'handle', 'mediaType'])
    if (value[key] !== undefined && typeof value[key] !== 'string')
      problems.push({ path: `/${key}`, message: 'must be a string' })
  const contents = ['text', 'data', 'handle'].filter((key) => value[key] !== undefined)
  if (contents.length !== 1) problems.push({ path: '', message: 'must have exactly one of text, data and handle' })
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}

import {
  ArtifactId,
  type Artifacts,
  type CallContext,
  type HandResult,
  type JsonObject,
  type Tool,
  type Trust,
  text,
} from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import type { ByteSource } from './byte-source.js'
import { looksBinary } from './file-text.js'
import { readableSize } from './readable-size.js'
import { PAGE_PROPERTIES, type PageWanted, textPage } from './text-page.js'

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    artifact: { type: 'string', description: 'The handle, such as "sha256:…".' },
    ...PAGE_PROPERTIES,
  },
  required: ['artifact'],
  additionalProperties: false,
})

type Args = PageWanted & { readonly artifact: string }

/**
 * Pages through an output that was too large for the view, by lines or by bytes, at most 28 KB a call.
 * @param trust of what is in artifacts: they hold what any tool said.
 */
export function readArtifactTool(artifacts: Artifacts, trust: Trust = 'untrusted'): Tool {
  return Object.freeze({
    name: 'read_artifact',
    title: 'Read an artifact',
    description: 'Reads a part of a large output that was kept as an artifact, by lines or by bytes.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust,
    timeoutMs: 60_000,
    run: (args: JsonObject, context) => page(artifacts, args as Args, context),
  } satisfies Tool)
}

async function page(artifacts: Artifacts, args: Args, context: CallContext): Promise<HandResult> {
  const artifactId = ArtifactId(args.artifact)
  const meta = await artifacts.meta(artifactId)
  if (meta === undefined)
    throw new HostError(
      'artifact-missing',
      `There is no artifact ${JSON.stringify(args.artifact)}. Copy its handle exactly.`,
    )
  const source: ByteSource = {
    size: meta.bytes,
    read: (offset, length) => artifacts.read(artifactId, offset, length),
  }
  if (looksBinary(await source.read(0, 8_192)))
    throw new HostError(
      'file-not-text',
      `The artifact is not text (${meta.mediaType}, ${readableSize(meta.bytes)}) and cannot be paged through.`,
    )
  const { header, body, next } = await textPage(source, meta.name, args, 'utf-8', context)
  return {
    kind: 'result',
    content: [text(header), ...(body === '' ? [] : [text(body)]), ...(next === undefined ? [] : [text(next)])],
    value: body,
  }
}

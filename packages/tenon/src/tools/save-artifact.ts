import { ArtifactId, type Artifacts, type JsonObject, type Tool, text } from '@tenon/kernel'
import { HostError } from '../errors.js'
import { deferredSchema } from '../schema/to-schema.js'
import { readableSize } from './readable-size.js'
import { replaceFile } from './replace-file.js'
import type { Workspace } from './workspace.js'

const MOST_BYTES = 256 * 1_024 * 1_024

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    artifact: { type: 'string', description: 'The handle, such as "sha256:…".' },
    path: { type: 'string', minLength: 1, description: 'Path of the file in the workspace; folders are made.' },
  },
  required: ['artifact', 'path'],
  additionalProperties: false,
})

/** Writes an artifact into the workspace, byte for byte, whole or not at all. Saving it again changes nothing. */
export function saveArtifactTool(workspace: Workspace, artifacts: Artifacts): Tool {
  return Object.freeze({
    name: 'save_artifact',
    title: 'Save an artifact',
    description: 'Writes an artifact, such as a PDF that a script made, into the workspace as a file.',
    input: INPUT,
    effect: 'idempotent',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'host',
    concurrency: 1,
    timeoutMs: 60_000,
    async run(args: JsonObject) {
      const { artifact, path } = args as { artifact: string; path: string }
      const artifactId = ArtifactId(artifact)
      const meta = await artifacts.meta(artifactId)
      if (meta === undefined)
        throw new HostError('artifact-missing', `There is no artifact ${JSON.stringify(artifact)}.`)
      if (meta.bytes > MOST_BYTES)
        throw new HostError('file-too-large', `${meta.name} has ${readableSize(meta.bytes)}; 256 MB is the most.`)
      const place = await workspace.target(path)
      const replaced = await replaceFile(workspace, place, await artifacts.read(artifactId, 0, meta.bytes))
      return {
        kind: 'result',
        content: [text(`${replaced ? 'Replaced' : 'Created'} ${place.shown} (${readableSize(meta.bytes)}).`)],
        value: { path: place.shown, bytes: meta.bytes, replaced },
      }
    },
  } satisfies Tool)
}

import { type ContentBlock, type FramePart, isJsonObject, plainText } from '@tenon/kernel'
import { McpError } from '../errors.js'
import { blockOfResource } from '../outputs/block-of-content.js'
import type { McpHost } from './mcp-host.js'

/**
 * A resource as a part of the view, attached by a person or a configuration and never by the model. It says where it
 * comes from; its bytes, if it is no text, are named and left out. @throws McpError, also of the server
 */
export async function attachResource(host: McpHost, reference: string): Promise<FramePart> {
  const colon = reference.indexOf(':')
  const [server, uri] = [reference.slice(0, colon), reference.slice(colon + 1)]
  const kept = colon < 0 ? undefined : host.server(server)
  if (kept === undefined)
    throw new McpError('mcp-unknown-tool', `"${reference}" names no MCP server. Write SERVER:ADDRESS.`)
  const { contents } = await kept.catalogue.read(uri)
  if (!Array.isArray(contents))
    throw new McpError('mcp-protocol-error', `${server} answered for ${uri} without contents.`)
  const blocks: readonly ContentBlock[] = contents.filter((one) => isJsonObject(one)).map((one) => blockOfResource(one))
  const others = blocks.filter((block) => block.kind !== 'text')
  const left = others.map((block) => `[${block.kind === 'artifact' ? block.name : (block.name ?? uri)} is no text]`)
  return {
    partId: `mcp:${reference}`,
    kind: 'knowledge',
    provenance: { source: 'mcp', name: reference, trust: kept.config.trusted ? 'vetted' : 'untrusted' },
    text: [plainText(blocks), ...left].filter((line) => line !== '').join('\n'),
  }
}

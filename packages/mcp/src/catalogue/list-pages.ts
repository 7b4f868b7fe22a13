import type { Json, JsonObject } from '@tenon/kernel'
import { isMcpError, McpError, rpcDetail } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { Upstream } from '../upstream/upstream.js'

const MAX_PAGES = 1_000
const MAX_ITEMS = 50_000
const METHOD_NOT_FOUND = -32601

export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts'

type Place = { readonly method: string; readonly field: string; readonly capability: string }

const PLACES: Readonly<Record<ListKind, Place>> = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources' },
  templates: { method: 'resources/templates/list', field: 'resourceTemplates', capability: 'resources' },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts' },
}

export type Listed = { readonly items: readonly Json[]; readonly ttlMs: number }

/** All pages of a list. A kind that the server does not declare is empty and is not asked for. */
export async function listPages(upstream: Upstream, kind: ListKind, diagnose: Diagnose): Promise<Listed> {
  const { method, field, capability } = PLACES[kind]
  const info = await upstream.open()
  if (info.capabilities[capability] === undefined) return { items: [], ttlMs: 0 }
  const items: Json[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let ttlMs = Number.POSITIVE_INFINITY
  for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
    const result: JsonObject = await onePage(upstream, method, cursor, diagnose, capability)
    const found = result[field]
    if (!Array.isArray(found)) {
      if (result.absent !== true) throw badList(upstream.name, method, diagnose)
      break
    }
    items.push(...found)
    ttlMs = Math.min(ttlMs, typeof result.ttlMs === 'number' ? result.ttlMs : 0)
    const next = result.nextCursor
    // There or not: an empty cursor is one, null is none.
    if (typeof next !== 'string') break
    if (seen.has(next)) {
      diagnose('cursor-repeated', `${method} of ${upstream.name}`)
      items.length -= page === 0 ? 0 : found.length
      break
    }
    seen.add(next)
    cursor = next
  }
  return { items, ttlMs: Number.isFinite(ttlMs) ? ttlMs : 0 }
}

async function onePage(
  upstream: Upstream,
  method: string,
  cursor: string | undefined,
  diagnose: Diagnose,
  capability: string,
): Promise<JsonObject> {
  try {
    return await upstream.request(method, cursor === undefined ? {} : { cursor }, { repeatable: true })
  } catch (error) {
    if (!isMcpError(error) || rpcDetail(error)?.code !== METHOD_NOT_FOUND || cursor !== undefined) throw error
    // Templates are an optional part of the capability for resources.
    if (method !== 'resources/templates/list') diagnose('capability-missing', `${capability}: ${method}`)
    return { absent: true }
  }
}

function badList(name: string, method: string, diagnose: Diagnose): McpError {
  diagnose('bad-message', `${method} without its list`)
  return new McpError('mcp-protocol-error', `${name} answered ${method} without a list.`)
}

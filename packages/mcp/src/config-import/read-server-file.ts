import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError } from '../errors.js'
import type { UpstreamTarget } from '../upstream/upstream.js'
import { expandVariables, type Variables } from './expand-variables.js'
import { parseJsonWithComments } from './json-with-comments.js'

export type ImportedServer = { readonly name: string; readonly target: UpstreamTarget }

export type ServerFile = {
  readonly servers: readonly ImportedServer[]
  /** Entries that were left out, each with the reason. */
  readonly problems: readonly string[]
}

/**
 * Servers as other hosts keep them: `mcpServers` (Claude Code, Claude Desktop, Cursor, Windsurf) or `servers` (VS
 * Code). A broken entry is left out by name and spoils no other. @throws McpError `mcp-config-invalid`
 */
export function readServerFile(text: string, file: string, variables: Variables): ServerFile {
  let value: Json
  try {
    value = parseJsonWithComments(text)
  } catch (cause) {
    throw new McpError('mcp-config-invalid', `${file} is no JSON.`, { cause })
  }
  const entries = entriesIn(value, variables.workspace)
  if (entries === undefined)
    throw new McpError('mcp-config-invalid', `${file} has neither "mcpServers" nor "servers" with servers in it.`)
  const servers: ImportedServer[] = []
  const problems: string[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const read = readEntry(entry, variables)
    if (typeof read === 'string') problems.push(`${name}: ${read}`)
    else if (read !== undefined) servers.push({ name, target: read })
  }
  return { servers, problems }
}

function entriesIn(value: Json, workspace: string): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const { mcpServers, servers, mcp, projects } = value
  const project = isJsonObject(projects) ? projects[workspace] : undefined
  const own = isJsonObject(project) && isJsonObject(project.mcpServers) ? project.mcpServers : undefined
  if (isJsonObject(mcpServers)) return { ...mcpServers, ...own }
  if (own !== undefined) return own
  if (isJsonObject(servers)) return servers
  return isJsonObject(mcp) && isJsonObject(mcp.servers) ? mcp.servers : undefined
}

/** A target, a reason why there is none, or undefined for an entry that is switched off. */
function readEntry(entry: Json, variables: Variables): UpstreamTarget | string | undefined {
  if (!isJsonObject(entry)) return 'is no object'
  if (entry.disabled === true) return undefined
  const missing = new Set<string>()
  const fill = (value: Json | undefined): string => {
    const { text, missing: lacking } = expandVariables(String(value ?? ''), variables)
    for (const name of lacking) missing.add(name)
    return text
  }
  const target =
    entry.url === undefined && entry.serverUrl === undefined ? readCommand(entry, fill) : readUrl(entry, fill)
  if (missing.size === 0) return target
  const names = [...missing].map((name) => (name.startsWith('input:') ? `the input "${name.slice(6)}"` : name))
  return `needs ${names.join(', ')}, which is not set here`
}

type Fill = (value: Json | undefined) => string

function readCommand(entry: JsonObject, fill: Fill): UpstreamTarget | string {
  const { command, args, env, cwd } = entry
  if (typeof command !== 'string' || command === '') return 'has neither a command nor a url'
  if (args !== undefined && !Array.isArray(args)) return 'has args that are no list'
  return {
    kind: 'stdio',
    command: fill(command),
    ...(args === undefined ? {} : { args: args.map(fill) }),
    ...(isJsonObject(env) ? { env: filled(env, fill) } : {}),
    ...(typeof cwd === 'string' ? { cwd: fill(cwd) } : {}),
  }
}

function readUrl(entry: JsonObject, fill: Fill): UpstreamTarget | string {
  const url = fill(entry.url ?? entry.serverUrl)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return 'has a url that is no http address'
  const headers = isJsonObject(entry.headers) ? filled(entry.headers, fill) : undefined
  return {
    kind: 'http',
    url,
    ...(headers === undefined ? {} : { headers: () => headers }),
    transport: entry.type === 'sse' ? 'sse' : 'auto',
  }
}

const filled = (values: JsonObject, fill: Fill): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]))

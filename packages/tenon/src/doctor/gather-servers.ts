import { type ErrorRecord, errorRecord, isTenonError } from '@tenon/kernel'
import { definitionTokens, lastWords, type McpHost, matchesName, type ServerState } from '@tenon/mcp'
import type { ServerFacts, ToolFacts } from './project-facts.js'

/** What the servers of a host are and offer, as far as they have come. */
export const gatherServers = (host: McpHost | undefined): readonly ServerFacts[] =>
  host?.states.map((state) => serverFacts(host, state)) ?? []

function serverFacts(host: McpHost, { name, state, info, error, log, deprecated }: ServerState): ServerFacts {
  const server = host.server(name)
  const hidden = server?.config.hidden ?? []
  const tools: readonly ToolFacts[] = (server?.catalogue.tools ?? [])
    .filter((tool) => !matchesName(hidden, tool.name))
    .map(({ name, shownName, description, input }) => ({ name, shownName, description, input }))
  return {
    name,
    // One that has failed is tried again after a pause: what it then is, is no news.
    state: state === 'ready' ? 'ready' : error === undefined ? 'late' : 'failed',
    instructions: info?.instructions ?? '',
    capabilities: info?.capabilities ?? {},
    tools,
    tokens: tools.reduce((sum, tool) => sum + definitionTokens(tool.shownName, tool.description, tool.input), 0),
    deprecated,
    ...(info === undefined ? {} : { era: info.era, version: info.version }),
    ...(error === undefined ? {} : { error: recordOf(error, lastWords(log)) }),
  }
}

/** Whoever asks the doctor runs the server, and may read what its process wrote. */
function recordOf(error: Error, words: string): ErrorRecord {
  const record = isTenonError(error)
    ? errorRecord(error)
    : { code: 'unknown', message: error.message, retryable: false }
  return words === '' ? record : { ...record, message: `${record.message} Its last words: ${words}` }
}

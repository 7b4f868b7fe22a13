import { isJsonObject, type Json, type JsonObject, type UserMessage, userMessage } from '@tenon/kernel'
import { McpError } from '../errors.js'
import { blockOfContent } from '../outputs/block-of-content.js'
import type { HostServer, McpHost } from './mcp-host.js'
import type { PromptArgument, PromptInfo } from './prompt-info.js'
import { placeWords } from './prompt-words.js'

/** Every prompt of every server that is ready. A server that cannot list them is left out. */
export async function promptsOfServers(host: McpHost): Promise<readonly PromptInfo[]> {
  const lists = await Promise.all(
    host.states
      .filter(({ state }) => state === 'ready')
      .map(async ({ name }) => {
        const items =
          (await host
            .server(name)
            ?.catalogue.list('prompts')
            .catch(() => [])) ?? []
        return items.flatMap((item) => promptInfo(name, item))
      }),
  )
  return lists.flat()
}

/** A prompt by its name. @throws McpError `mcp-unknown-tool` */
export async function promptNamed(host: McpHost, server: string, prompt: string): Promise<PromptInfo> {
  const kept = host.server(server)
  if (kept === undefined) throw new McpError('mcp-unknown-tool', `There is no MCP server "${server}".`)
  const infos = (await kept.catalogue.list('prompts')).flatMap((item) => promptInfo(server, item))
  const info = infos.find(({ name }) => name === prompt)
  if (info !== undefined) return info
  const names = infos.map(({ name }) => name).join(', ') || 'none'
  throw new McpError('mcp-unknown-tool', `${server} has no prompt "${prompt}". It has: ${names}.`)
}

/**
 * What a person says by picking a prompt: `words` are its arguments, `name=value` or in order. Only a person picks one;
 * what the server wrote in it counts as the server's, not as theirs. @throws McpError `mcp-unknown-tool`, `mcp-invalid-arguments`
 */
export async function promptOfServer(host: McpHost, info: PromptInfo, words: readonly string[]): Promise<UserMessage> {
  const kept = host.server(info.server)
  if (kept === undefined) throw new McpError('mcp-unknown-tool', `There is no MCP server "${info.server}".`)
  const args = argumentsOf(info, words)
  const result = await kept.upstream.request('prompts/get', { name: info.name, arguments: args }, { repeatable: true })
  return messageOf(kept, info.name, result)
}

function messageOf({ config, desk }: HostServer, prompt: string, { messages }: JsonObject): UserMessage {
  if (!Array.isArray(messages))
    throw new McpError('mcp-protocol-error', `${config.name} answered the prompt "${prompt}" without messages.`)
  const blocks = messages.flatMap((message) => {
    if (!isJsonObject(message)) return []
    const contents: readonly Json[] = Array.isArray(message.content) ? message.content : [message.content ?? null]
    return contents.map((content) => blockOfContent(content, desk.diagnose))
  })
  const trust = config.trusted ? 'vetted' : 'untrusted'
  return userMessage(blocks, { source: 'mcp', name: `${config.name}:${prompt}`, trust })
}

function argumentsOf(info: PromptInfo, words: readonly string[]): JsonObject {
  const { given, open, left } = placeWords(info, words)
  const names = info.arguments.map(({ name }) => name)
  if (left.length > 0)
    throw new McpError('mcp-invalid-arguments', `${info.name} takes ${names.length} arguments: ${names.join(', ')}.`)
  const missing = info.arguments.filter(({ name, required }) => required && open.includes(name)).map(({ name }) => name)
  if (missing.length > 0)
    throw new McpError(
      'mcp-invalid-arguments',
      `${info.name} needs ${missing.join(', ')}: /${info.server}:${info.name} ${missing.map((name) => `${name}=…`).join(' ')}`,
    )
  return given
}

/** A prompt as it is listed; nothing where it cannot be one. */
export function promptInfo(server: string, item: Json): readonly PromptInfo[] {
  if (!isJsonObject(item) || typeof item.name !== 'string') return []
  const list: readonly Json[] = Array.isArray(item.arguments) ? item.arguments : []
  return [
    {
      server,
      name: item.name,
      description: typeof item.description === 'string' ? item.description : '',
      arguments: list.flatMap(argumentOf),
    },
  ]
}

function argumentOf(item: Json): readonly PromptArgument[] {
  if (!isJsonObject(item) || typeof item.name !== 'string') return []
  const { name, description, required } = item
  return [{ name, description: typeof description === 'string' ? description : '', required: required === true }]
}

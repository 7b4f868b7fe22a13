import { isJsonObject, type Json, type JsonObject, type UserMessage, userMessage } from '@tenon/kernel'
import { McpError } from '../errors.js'
import { blockOfContent } from '../outputs/block-of-content.js'
import type { HostServer, McpHost } from './mcp-host.js'

/** A skeleton that a person may pick, as a server lists it. */
export type PromptInfo = {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

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

/**
 * What a person says by picking a prompt: `words` are its arguments, `name=value` or in order. Only a person picks one;
 * what the server wrote in it counts as the server's, not as theirs. @throws McpError `mcp-unknown-tool`, `mcp-invalid-arguments`
 */
export async function promptOfServer(
  host: McpHost,
  server: string,
  prompt: string,
  words: readonly string[],
): Promise<UserMessage> {
  const kept = host.server(server)
  if (kept === undefined) throw new McpError('mcp-unknown-tool', `There is no MCP server "${server}".`)
  const infos = (await kept.catalogue.list('prompts')).flatMap((item) => promptInfo(server, item))
  const info = infos.find(({ name }) => name === prompt)
  if (info === undefined) {
    const names = infos.map(({ name }) => name).join(', ') || 'none'
    throw new McpError('mcp-unknown-tool', `${server} has no prompt "${prompt}". It has: ${names}.`)
  }
  const args = argumentsOf(info, words)
  const result = await kept.upstream.request('prompts/get', { name: prompt, arguments: args }, { repeatable: true })
  return messageOf(kept, prompt, result)
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
  const args: Record<string, string> = {}
  const open = info.arguments.map(({ name }) => name)
  for (const word of words) {
    const named = /^([\w-]+)=(.*)$/s.exec(word)
    const name = named !== null && open.includes(named[1] ?? '') ? (named[1] ?? '') : open.find((one) => !(one in args))
    if (name === undefined)
      throw new McpError('mcp-invalid-arguments', `${info.name} takes ${open.length} arguments: ${open.join(', ')}.`)
    args[name] = name === named?.[1] ? (named[2] ?? '') : word
  }
  const missing = info.arguments.filter(({ name, required }) => required && !(name in args)).map(({ name }) => name)
  if (missing.length > 0)
    throw new McpError(
      'mcp-invalid-arguments',
      `${info.name} needs ${missing.join(', ')}: /${info.server}:${info.name} ${missing.map((name) => `${name}=…`).join(' ')}`,
    )
  return args
}

function promptInfo(server: string, item: Json): readonly PromptInfo[] {
  if (!isJsonObject(item) || typeof item.name !== 'string') return []
  const list = Array.isArray(item.arguments) ? item.arguments : []
  return [
    {
      server,
      name: item.name,
      description: typeof item.description === 'string' ? item.description : '',
      arguments: list.flatMap((one) =>
        isJsonObject(one) && typeof one.name === 'string' ? [{ name: one.name, required: one.required === true }] : [],
      ),
    },
  ]
}

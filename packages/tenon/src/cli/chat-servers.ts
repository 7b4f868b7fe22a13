import { isTenonError, plainText, type UserMessage } from '@tenon/kernel'
import type { McpHost, PromptInfo } from '@tenon/mcp'
import type { Host } from '../host/host.js'
import { wordsOf } from './chat-completion.js'
import { askArguments, type Suggest } from './consent/ask-arguments.js'
import type { Asker } from './consent/asker.js'
import { type Io, isInteractive } from './io.js'
import { safeText } from './printer/safe-text.js'
import { table } from './printer/table.js'

/** What a person picks by `/server:prompt`; undefined when the line names none, or when it went wrong and was told. */
export async function pickedPrompt(io: Io, host: Host, typed: string, asker: Asker): Promise<UserMessage | undefined> {
  const [name = '', ...words] = wordsOf(typed.slice(1))
  const colon = name.indexOf(':')
  if (host.mcp === undefined || colon < 0) return undefined
  const { promptNamed, promptOfServer } = await import('@tenon/mcp')
  try {
    const info = await promptNamed(host.mcp, name.slice(0, colon), name.slice(colon + 1))
    const args = words.map((word) => word.replaceAll('"', ''))
    const more = isInteractive(io) ? await askMissing(host.mcp, info, args, asker) : []
    if (more === undefined) return undefined
    const message = await promptOfServer(host.mcp, info, [...args, ...more])
    io.stderr.write(`${safeText(plainText(message.blocks)).slice(0, 2_000)}\n`)
    return message
  } catch (error) {
    if (!isTenonError(error)) throw error
    io.stderr.write(`${safeText(error.message)}\n`)
    return undefined
  }
}

/** What the prompt needs and the line did not give, asked for one by one; undefined when the person gave up. */
async function askMissing(
  mcp: McpHost,
  info: PromptInfo,
  words: readonly string[],
  asker: Asker,
): Promise<readonly string[] | undefined> {
  const { completeArgument, placeWords } = await import('@tenon/mcp')
  const { given, open } = placeWords(info, words)
  const missing = info.arguments.filter(({ name, required }) => required && open.includes(name))
  const suggest: Suggest = async (name, typed, others) => {
    const upstream = mcp.server(info.server)?.upstream
    if (upstream === undefined) return []
    return completeArgument(upstream, { prompt: info.name }, name, typed, { ...given, ...others })
  }
  const answers = await askArguments(missing, suggest, asker, new AbortController().signal)
  return answers && Object.entries(answers).map(([name, value]) => `${name}=${value}`)
}

/** `/attach server:address`: from the next line on the view holds the resource. */
export async function attachTyped(io: Io, host: Host, reference: string | undefined): Promise<void> {
  if (host.mcp === undefined || reference === undefined) {
    io.stderr.write(host.mcp === undefined ? 'No MCP servers are configured.\n' : 'Write /attach SERVER:ADDRESS.\n')
    return
  }
  const { attachResource } = await import('@tenon/mcp')
  try {
    const part = await attachResource(host.mcp, reference)
    host.attach(part)
    io.stderr.write(`${safeText(reference)} is attached (${part.text.length} characters).\n`)
  } catch (error) {
    if (!isTenonError(error)) throw error
    io.stderr.write(`${safeText(error.message)}\n`)
  }
}

/** `/mcp`: servers, the prompts that can be picked and the resources that can be attached. */
export async function showServers(io: Io, host: Host): Promise<void> {
  const { mcp } = host
  if (mcp === undefined) {
    io.stderr.write('No MCP servers are configured.\n')
    return
  }
  const { promptsOfServers } = await import('@tenon/mcp')
  io.stderr.write(
    table(
      mcp.states.map(({ name, state, tools, error }) => [
        name,
        state,
        `${tools} tools`,
        safeText(error?.message.split('\n')[0] ?? ''),
      ]),
    ),
  )
  for (const { server, name, description, arguments: wanted } of await promptsOfServers(mcp))
    io.stderr.write(
      `/${safeText(`${server}:${name} ${wanted.map((one) => one.name).join(' ')}`).trim()}  ${safeText(description)}\n`,
    )
}

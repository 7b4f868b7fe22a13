import { completeArgument } from './complete-argument.js'
import type { McpHost } from './mcp-host.js'
import type { PromptInfo } from './prompt-info.js'
import { placeWords, splitWord } from './prompt-words.js'

/**
 * What the half-typed last word of `/server:prompt …` may become, as it would stand in the line. `words` are those
 * before it. The server hears what was given already, so that it can propose what fits to it.
 */
export async function completePrompt(
  host: McpHost,
  info: PromptInfo,
  words: readonly string[],
  typed: string,
): Promise<readonly string[]> {
  const { given, open } = placeWords(info, words)
  const named = splitWord(info, typed)
  const name = named?.name ?? open[0]
  const upstream = host.server(info.server)?.upstream
  if (name === undefined || upstream === undefined) return []
  const { [name]: _, ...others } = given
  const values = await completeArgument(upstream, { prompt: info.name }, name, named?.value ?? typed, others)
  return named === undefined ? values : values.map((value) => `${name}=${value}`)
}

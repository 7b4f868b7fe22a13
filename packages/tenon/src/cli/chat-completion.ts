import { isJsonObject, isTenonError } from '@tenon/kernel'
import type { Host } from '../host/host.js'
import type { Completions } from './consent/asker.js'

/** What Tab makes of a line of the chat that begins with a slash; nothing for one that does not. */
export async function completeChat(host: Host, line: string, commands: readonly string[]): Promise<Completions> {
  const [command = '', ...rest] = wordsOf(line)
  const last = rest.at(-1) ?? command
  if (!line.startsWith('/')) return [[], line]
  try {
    if (rest.length === 0) return [beginning(command, await firstWords(host, commands)), command]
    if (command === '/attach') return [beginning(last, await resources(host)), last]
    return [await promptValues(host, command, rest), last]
  } catch (error) {
    if (isTenonError(error)) return [[], last]
    throw error
  }
}

/** The words of a line; the last one, which may be empty or an open quote, is being typed. */
export function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
  return /(?:^|\s)$/.test(line) && !isQuoted(line) ? [...words, ''] : words
}

const isQuoted = (line: string): boolean => line.split('"').length % 2 === 0

const beginning = (typed: string, all: readonly string[]): readonly string[] =>
  all.filter((one) => one.startsWith(typed)).slice(0, 100)

async function firstWords({ mcp, skills }: Host, commands: readonly string[]): Promise<readonly string[]> {
  const named = [...(skills?.current().byName.values() ?? [])].filter(({ invocation }) => invocation.byUser)
  const words = [...commands, ...named.map(({ name }) => name)].map((word) => `/${word}`)
  if (mcp === undefined) return words
  const { promptsOfServers } = await import('@tenon/mcp')
  return [...words, ...(await promptsOfServers(mcp)).map(({ server, name }) => `/${server}:${name}`)]
}

async function resources({ mcp }: Host): Promise<readonly string[]> {
  const lists = (mcp?.states ?? []).map(async ({ name }) => {
    const items =
      (await mcp
        ?.server(name)
        ?.catalogue.list('resources')
        .catch(() => [])) ?? []
    return items.flatMap((item) => (isJsonObject(item) ? [`${name}:${String(item.uri)}`] : []))
  })
  return (await Promise.all(lists)).flat()
}

async function promptValues({ mcp }: Host, command: string, words: readonly string[]): Promise<readonly string[]> {
  const [, server = '', prompt = ''] = /^\/([^:]+):(.+)$/.exec(command) ?? []
  if (mcp === undefined || prompt === '') return []
  const { completePrompt, promptNamed } = await import('@tenon/mcp')
  const info = await promptNamed(mcp, server, prompt)
  const plain = words.map((word) => word.replaceAll('"', ''))
  const values = await completePrompt(mcp, info, plain.slice(0, -1), plain.at(-1) ?? '')
  return values.map((value) => (/\s/.test(value) ? `"${value}"` : value))
}

import type { PromptInfo } from './prompt-info.js'

export type PlacedWords = {
  readonly given: Readonly<Record<string, string>>
  /** Of what the prompt takes, in its order. */
  readonly open: readonly string[]
  /** Words that there is no argument for. */
  readonly left: readonly string[]
}

/** The arguments of a prompt as a person types them: `name=value`, or in order. */
export function placeWords(info: PromptInfo, words: readonly string[]): PlacedWords {
  const given: Record<string, string> = {}
  const left: string[] = []
  const names = info.arguments.map(({ name }) => name)
  for (const word of words) {
    const named = splitWord(info, word)
    const name = named?.name ?? names.find((one) => !(one in given))
    if (name === undefined) left.push(word)
    else given[name] = named?.value ?? word
  }
  return { given, open: names.filter((name) => !(name in given)), left }
}

/** `name=value`, where the prompt has an argument of this name. */
export function splitWord(
  info: PromptInfo,
  word: string,
): { readonly name: string; readonly value: string } | undefined {
  const [, name = '', value = ''] = /^([\w-]+)=(.*)$/s.exec(word) ?? []
  return info.arguments.some((one) => one.name === name) ? { name, value } : undefined
}

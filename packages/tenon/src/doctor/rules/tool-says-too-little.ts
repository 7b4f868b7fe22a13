import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { ServerFacts, ToolFacts } from '../project-facts.js'
import type { Rule } from '../rule.js'

export const toolSaysTooLittle: Rule = {
  id: 'tool-says-too-little',
  severity: 'warning',
  title: 'A tool does not say its scope, the form of its arguments, or its limit',
  reason:
    'The model chooses by the description and nothing else: what the tool is for, what each argument looks like, how much may come back. What is not said is guessed, and the guess is paid for in failed calls.',
  fix: 'Say what it covers in a sentence, give every argument a description, an enum, a format or a pattern, and for what lists, searches or reads say how much comes back at most, or take a limit.',
  look: ({ servers }) =>
    servers.flatMap((server) => {
      const poor = poorTools(server)
      return poor.length === 0 ? [] : [{ where: `mcp.servers.${server.name}`, text: listed(poor) }]
    }),
}

const SHOWN = 5

function listed(poor: readonly string[]): string {
  const more = poor.length - SHOWN
  return `${poor.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more tools` : ''}`
}

const poorTools = ({ tools }: ServerFacts): readonly string[] =>
  tools.flatMap((tool) => {
    const lacks = [
      ...(saysScope(tool) ? [] : ['scope']),
      ...formless(tool.input).map((name) => `form of ${name}`),
      ...(!returnsMuch(tool) || saysLimit(tool) ? [] : ['limit']),
    ]
    return lacks.length === 0 ? [] : [`${tool.name} does not say: ${lacks.join(', ')}`]
  })

/** A sentence that says more than the name, in words or, for scripts without blanks, in signs. */
function saysScope({ name, description }: ToolFacts): boolean {
  const own = new Set(name.toLowerCase().split(/[^a-z0-9]+/))
  const words = description.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const signs = description.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0
  return words.filter((word) => !own.has(word)).length >= 4 || signs >= 8
}

/** Arguments of which nothing but a type is known. */
function formless({ properties }: JsonObject): readonly string[] {
  if (!isJsonObject(properties)) return []
  return Object.entries(properties)
    .filter(([, schema]) => !saysForm(schema))
    .map(([name]) => name)
}

const FORMS = [
  'description',
  'enum',
  'const',
  'format',
  'pattern',
  'examples',
  '$ref',
  'oneOf',
  'anyOf',
  'minimum',
  'maximum',
]

function saysForm(schema: Json): boolean {
  if (!isJsonObject(schema)) return false
  if (FORMS.some((key) => schema[key] !== undefined) || schema.type === 'boolean') return true
  if (isJsonObject(schema.properties)) return formless(schema).length === 0
  return isJsonObject(schema.items) && saysForm(schema.items)
}

const MUCH = /(?:^|[_\W])(?:list|search|query|find|fetch|read|export|dump|scan|all|history|logs?)(?:[_\W]|$)/i
const BOUND =
  /\b(?:at most|up to|max(?:imum)?|limit(?:s|ed)?|no more than|first|latest|last|per page|pages?|cursor|truncat\w*|one|single|exactly|newest|top)\b|\d|最多|至多|上限|不超过|每页/i
const PAGING = /^(?:limit|max\w*|page\w*|per_?page|cursor|offset|count|size|top|first|n|head|tail|lines?|k)$/i

const returnsMuch = ({ name }: ToolFacts): boolean => MUCH.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))

function saysLimit({ description, input }: ToolFacts): boolean {
  const names = isJsonObject(input.properties) ? Object.keys(input.properties) : []
  return BOUND.test(description) || names.some((name) => PAGING.test(name))
}

import { type HandResult, type JsonObject, type SchemaCompiler, type Tool, text } from '@tenon/kernel'
import { catalogueEntry } from '../catalogue/catalogue-text.js'
import { SkillIndex } from '../catalogue/skill-index.js'
import type { SkillSet } from '../discovery/skill-library.js'

export type SearchOptions = { readonly skills: () => SkillSet; readonly compile: SchemaCompiler }

const DEFAULT_HITS = 5
const MAX_HITS = 20

/** Finds the skills that the catalogue had no room for. */
export function searchSkillsTool({ skills, compile }: SearchOptions): Tool {
  let indexed: { readonly set: SkillSet; readonly index: SkillIndex } | undefined
  const indexOf = (set: SkillSet): SkillIndex => {
    if (indexed?.set !== set)
      indexed = { set, index: new SkillIndex(set.skills.filter(({ modelVisible }) => modelVisible)) }
    return indexed.index
  }
  return Object.freeze({
    name: 'search_skills',
    title: 'Search skills',
    description: 'Finds skills by what they are for. The catalogue shows only a part of them in full.',
    input: compile({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'What the skill should be good for, in a few words.' },
        limit: { type: 'integer', minimum: 1, maximum: MAX_HITS, description: `How many; ${DEFAULT_HITS} if absent.` },
      },
      required: ['query'],
      additionalProperties: false,
    }),
    effect: 'pure',
    origin: { kind: 'skill', name: 'skills' },
    run: ({ query, limit }: JsonObject) =>
      answer(indexOf(skills()), String(query), typeof limit === 'number' ? limit : DEFAULT_HITS),
  } satisfies Tool)
}

function answer(index: SkillIndex, query: string, limit: number): HandResult {
  const hits = index.search(query, limit)
  const lines = hits.map(({ skill }) => catalogueEntry(skill, skill.description))
  return {
    kind: 'result',
    content: [text(lines.length === 0 ? 'No skill fits. Try other words, or go on without one.' : lines.join('\n'))],
    value: hits.map(({ skill }) => skill.name),
    provenance: { source: 'skill', name: 'catalogue', trust: 'vetted' },
  }
}

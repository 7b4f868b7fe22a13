import { estimateTokens } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { folderOf, skillFile } from '../../test/support/skill-host.js'
import { SkillLibrary } from '../discovery/skill-library.js'
import { catalogueOf } from './catalogue.js'
import { SkillIndex } from './skill-index.js'

async function skillsOf(files: Record<string, string>) {
  const { skills } = await new SkillLibrary([{ path: folderOf(files), scope: 'user', trusted: true }]).load()
  return { skills, index: new SkillIndex(skills) }
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `s${at}/SKILL.md`,
      `---\nname: s${at}\ndescription: Handles matter ${at} for the ${at % 2 ? 'kitchen' : 'garden'}, with all that belongs to it and a look at the end of the day.\n---\nx\n`,
    ]),
  )

test('within the budget everything stands in full and nothing points to a search', async () => {
  const { skills, index } = await skillsOf(many(5))
  const catalogue = catalogueOf(skills, { budget: 4_000, index })
  expect(catalogue).toMatchObject({ full: 5, shortened: 0, named: 0, searchable: 0 })
  expect(catalogue?.text).not.toContain('search_skills')
})

test.each([200, 500, 1_000, 4_000])('a budget of %i tokens is kept, and what gave way is counted', async (budget) => {
  const { skills, index } = await skillsOf(many(300))
  const catalogue = catalogueOf(skills, { budget, index })
  if (catalogue === undefined) throw new Error('there is no catalogue')
  const { full, shortened, named, searchable, text } = catalogue
  expect(estimateTokens(text)).toBeLessThanOrEqual(budget)
  expect(full + shortened + named + searchable).toBe(300)
  expect(text.match(/<skill /g)?.length ?? 0).toBe(full + shortened + named)
  expect(text).toContain('search_skills')
})

test('what fits the goal shrinks last', async () => {
  const files = {
    ...many(200),
    'zz/SKILL.md': '---\nname: zz\ndescription: Prints invoices for the tax office, whole and in order.\n---\nx\n',
  }
  const { skills, index } = await skillsOf(files)
  const options = { budget: 800, index }
  expect(catalogueOf(skills, options)?.text).not.toContain('tax office')
  expect(catalogueOf(skills, { ...options, goal: 'print the invoices' })?.text).toContain('whole and in order.')
})

test('without a skill that a model may start there is no catalogue', async () => {
  const { skills, index } = await skillsOf({ 'a/SKILL.md': skillFile('a', 'disable-model-invocation: true\n') })
  expect(catalogueOf(skills, { budget: 4_000, index })).toBeUndefined()
})

test('words of other forms, a slip of the finger and Chinese find their skill; what is unknown finds nothing', async () => {
  const { index } = await skillsOf({
    'review/SKILL.md': '---\nname: review\ndescription: Reviews code for mistakes.\n---\nx\n',
    'invoices/SKILL.md': '---\nname: invoices\ndescription: Checks invoices for sums.\n---\nx\n',
    'receipts/SKILL.md': '---\nname: receipts\ndescription: 整理收据：按月份和金额排序。\n---\nx\n',
  })
  const first = (query: string) => index.search(query, 5)[0]?.skill.name
  expect(first('reviewing my code')).toBe('review')
  expect(first('invocie')).toBe('invoices')
  expect(first('按金额')).toBe('receipts')
  expect(index.search('zebra', 5)).toEqual([])
})

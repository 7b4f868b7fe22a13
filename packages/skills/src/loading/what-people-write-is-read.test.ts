import { expect, test } from 'vitest'
import { Findings } from './diagnostic.js'
import { parseSkill } from './parse-skill.js'

const read = (yaml: string, body = 'x\n') => {
  const findings = new Findings('SKILL.md')
  const { fields } = parseSkill(`---\n${yaml}\n---\n${body}`, 'it', findings)
  return { ...fields, kinds: findings.list().map(({ kind }) => kind) }
}

test.each([
  ["description: 'It's broken'", "It's broken"],
  ['description: "He says "go" to me"', 'He says "go" to me'],
  ['description: "Quick" totals of columns', '"Quick" totals of columns'],
  ['description: Use when: a\n  b: c\nlicense: MIT', 'Use when: a b: c'],
  ['description: |\n\tUse: this\n\tand that', 'Use: this\nand that'],
  ['description: >\n\tUse: this\n\tand that', 'Use: this and that'],
  ['description: fine\nother: [a] [b]', 'fine'],
  ['description: fine\n}}\n', 'fine'],
])('%j is recovered', (yaml, description) => {
  expect(read(`name: it\n${yaml}`)).toMatchObject({ description, kinds: expect.arrayContaining(['yaml-recovered']) })
})

test('a closing line that was forgotten does not pour the body into the description', () => {
  const { description } = read('name: it\ndescription: Notes a route.\n\n# Route\n\nKeep one line.')
  expect(description).toBe('Notes a route.')
})

test('an alias that is no bomb is only an alias', () => {
  const { description, metadata, kinds } = read('name: it\ndescription: &d Says it.\nmetadata:\n  again: *d')
  expect({ description, metadata, kinds }).toEqual({
    description: 'Says it.',
    metadata: { again: 'Says it.' },
    kinds: [],
  })
})

test.each([
  ['[a](references/a.md#top "A title")', 'references/a.md'],
  ['[a](<references/a b.md>)', 'references/a b.md'],
  ['[a](./x/../references/a%20b.md)', 'references/a b.md'],
  ['![a](assets/a.png)', 'assets/a.png'],
])('%j is a reference', (body, path) => {
  const findings = new Findings('SKILL.md')
  expect(parseSkill(`---\nname: it\ndescription: d\n---\n${body}`, 'it', findings).references).toMatchObject([{ path }])
})

test.each([
  '[a](https://x.org/a.md)',
  '[a](#top)',
  '[a](mailto:a@b.c)',
  '`[a](b.md)`',
  '```\n[a](b.md)\n```',
  '~~~md\n[a](b.md)',
])('%j is none', (body) => {
  const findings = new Findings('SKILL.md')
  expect(parseSkill(`---\nname: it\ndescription: d\n---\n${body}`, 'it', findings).references).toEqual([])
})

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadSkill, type SkillReading } from '../src/loading/load-skill.js'
import { mutate, randomFrom } from './support/mutate.js'

const SEEDS: readonly string[] = [
  '---\nname: stock-count\ndescription: Counts stock from a shelf sheet. Use when a sheet must be added up.\nlicense: MIT\n---\n# Stock\n\nRead [rules](references/rules.md).\n',
  '---\nname: fold\ndescription: >-\n  Folds lines\n  into one.\n\n  Keeps paragraphs.\nmetadata:\n  author: someone\n  version: "1.0"\nallowed-tools: Bash(git:*) Read\n---\nBody\n',
  '---\nname: block\ndescription: |\n  Use for:\n  - lists\n  ---\n  | a | b |\nversion: 1.2\ntags: [a, b]\n---\n```\n[x](y)\n```\n!`echo hi`\n',
  '---\nname: colon\ndescription: Checks sums. Use when: totals differ\n  or a line: is missing.\nargument-hint: [file] [mode]\n---\n\nText\n',
  '---\nname: \'整理\'\ndescription: "整理收据：按月份。 \\u200b hidden"\ncompatibility: Needs git\nuser-invocable: false\ncontext: fork\n---\n正文 👩\u200d💻\n',
  '<!-- kept by a group -->\n\n---\nname: late\ndescription: Comes late # and is cut\nmetadata: {"a":{"b":["c"]}}\n---\n[a](../b.md) [c](https://example.com) [d](#e)\n',
]
const FILES = 10_000
let folder: string

beforeAll(() => {
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'tenon-fuzz-'))), 'stock-count')
  mkdirSync(folder)
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

function load(text: string): SkillReading {
  writeFileSync(join(folder, 'SKILL.md'), text)
  return loadSkill({ root: { path: folder, scope: 'user', trusted: true }, folder, path: '' })
}

/** What a strict reader makes of a file that nothing was reported about. */
function strictly(text: string): Record<string, unknown> {
  const [, yaml = ''] = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text) ?? []
  return parse(yaml.replaceAll('\r\n', '\n')) as Record<string, unknown>
}

function complaints(text: string, { skill, body }: SkillReading): readonly string[] {
  const found: string[] = []
  if (typeof skill.name !== 'string' || skill.name === '' || /[/\\\p{Cc}]/u.test(skill.name))
    found.push('name is not safe')
  if (skill.loadable !== (skill.description !== undefined && skill.description !== '') && skill.loadable)
    found.push('loadable without a description')
  if (!skill.loadable && skill.diagnostics.length === 0) found.push('lost without a word')
  if (skill.diagnostics.some(({ message, line }) => message === '' || (line !== undefined && !(line >= 1))))
    found.push('a finding without words or place')
  if (/[\u200B\u202A-\u202E\u{E0000}-\u{E007F}]/u.test(`${skill.name}${skill.description ?? ''}${body}`))
    found.push('hidden characters came through')
  if (skill.diagnostics.length === 0) {
    const strict = strictly(text)
    if (strict.name !== skill.name) found.push('another name without a word')
    if (String(strict.description).trim() !== skill.description) found.push('another description without a word')
  }
  return found
}

test('none stops the loader, runs, writes or loses anything without a word', { timeout: 120_000 }, () => {
  const random = randomFrom(20_261_130)
  const pick = (): string => SEEDS[Math.floor(random() * SEEDS.length)] ?? ''
  let loadable = 0
  for (let index = 0; index < FILES; index++) {
    // As it is on disk: a half of a pair of surrogates is no text.
    const text = Buffer.from(mutate(pick(), pick(), random)).toString()
    const reading = load(text)
    if (reading.skill.loadable) loadable++
    const wrong = complaints(text, reading)
    if (wrong.length > 0) expect({ wrong, text, skill: reading.skill }).toBe(`nothing wrong with file ${index}`)
  }
  expect(readdirSync(folder)).toEqual(['SKILL.md'])
  expect(readdirSync(join(folder, '..'))).toEqual(['stock-count'])
  expect(Object.prototype).not.toHaveProperty('1')
  // Mutation that destroys everything would prove nothing.
  expect(loadable).toBeGreaterThan(FILES / 3)
})

test('texts that make a careless pattern run for ever are read in no time', { timeout: 20_000 }, () => {
  const walls = [
    `---\nname: a\ndescription: ${'a '.repeat(200_000)}\n---\n`,
    `---\nname: a\ndescription: x\n---\n${'[a]('.repeat(100_000)}`,
    `---\nname: a\ndescription: x\n---\n${'`'.repeat(200_000)}`,
    `---\nname: a\ndescription: x\n---\n${'!`'.repeat(200_000)}`,
    `---\nname: a\ndescription: x\n---\n${'[x](<'.repeat(100_000)}\n`,
    `${'<!--'.repeat(100_000)}\n---\n`,
    `${'\n'.repeat(500_000)}---\nname: a\ndescription: x\n---\n`,
    `---\n${'k: '.repeat(20_000)}\n---\n`,
    `---\n${'[('.repeat(30_000)}\n---\n`,
    `---\nname: a\n${'  - '.repeat(15_000)}\n---\n`,
    `---\ndescription: ${'\u200d'.repeat(300_000)}\n---\n`,
    `---\nallowed-tools: ${'('.repeat(60_000)}\ndescription: x\n---\n`,
  ]
  for (const text of walls) expect(load(text).skill.diagnostics.length).toBeGreaterThan(0)
})

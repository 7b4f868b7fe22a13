import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { mutate, randomFrom } from '../../test/support/mutate.js'
import { readPlainFrontmatter } from './plain-frontmatter.js'

const SEEDS: readonly string[] = [
  'name: stock-count\ndescription: Counts stock (all of it), from a sheet; quickly.\nlicense: MIT\nversion: 1.2.3\n',
  'name: "a b"\ndescription: \'it is\'\nmetadata:\n  author: someone\n  version: "1.0"\nuser-invocable: false\n',
  'name: x\nmetadata: {"a":{"b":["c",1]}}\ndescription: 整理收据：按月份。\n',
  'name: x\nmetadata: { "a": "b c", "d": { "e": true } }\nhomepage: https://example.com/a#b\ntags: [a, b]\n',
  'name: x\n\nallowed-tools: Bash(git:*) Read\ndescription: A - b , c & d * e ! f % g @ h\nempty:\n',
]

function parsed(yaml: string): unknown {
  try {
    return parse(yaml, { uniqueKeys: true })
  } catch {
    return 'no YAML'
  }
}

test('most of what people write takes the shortcut', () => {
  expect(SEEDS.map((seed) => readPlainFrontmatter(seed, 1) !== undefined)).toEqual([true, false, true, false, true])
})

test('wherever it answers, the parser gives the same', { timeout: 120_000 }, () => {
  const random = randomFrom(7)
  const pick = (): string => SEEDS[Math.floor(random() * SEEDS.length)] ?? ''
  let answered = 0
  for (let index = 0; index < 10_000; index++) {
    const yaml = mutate(pick(), pick(), random).replaceAll('\r\n', '\n')
    const fields = readPlainFrontmatter(yaml, 1)
    if (fields === undefined) continue
    answered++
    const read = Object.fromEntries([...fields].map(([key, { value }]) => [key, value]))
    expect({ yaml, read }).toEqual({ yaml, read: parsed(yaml) ?? {} })
  }
  expect(answered).toBeGreaterThan(1_000)
})

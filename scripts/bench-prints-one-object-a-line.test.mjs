import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repoRoot, runNode } from './run-node.mjs'

/** @param {string[]} args */
const bench = (...args) => runNode([join(repoRoot, 'scripts', 'bench.mjs'), ...args])

test('with --json, so that a program can read the numbers', async () => {
  const { code, stdout } = await bench('loop', '--case', 'cli-version', '--rounds', '1', '--json')
  expect(code).toBe(0)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ subject }) => subject)).toEqual(['tenon', 'bare node'])
  for (const row of rows) {
    expect(row).toEqual({
      bench: 'loop',
      case: 'cli-version',
      subject: expect.any(String),
      value: expect.any(Number),
      unit: 'ms',
    })
  }
})

test('an unknown bench is a usage error that says which there are', async () => {
  const { code, stderr } = await bench('lop')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^usage: npm run bench -- (?:\S+\|)?loop(?:\|\S+)? \[--json\]/)
})

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = join(import.meta.dirname, 'skills', 'compliant-report', 'scripts', 'check-red-lines.mjs')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-red-lines-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Broken = { readonly line: number; readonly rule: number; readonly found: string }

function check(text: string): { readonly status: number | null; readonly broken: readonly Broken[] } {
  writeFileSync(join(folder, 'report.md'), text)
  const { status, stdout } = spawnSync(process.execPath, [script, 'report.md', '--json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, broken: JSON.parse(stdout) }
}

const GOOD = `# Report

> **As of** 2026-11-30

The MK-600 came out in 2026. Its list price is EUR 34,900.[^1]

- Meridian plans to deliver within four weeks.
- We estimate that this will take two years.[^1]

1. 第一项没有数字。

[^1]: data sheet (public, 2026-06)
`

test('what keeps to the rules passes, and is left byte for byte for what comes next', () => {
  expect(check(GOOD)).toEqual({ status: 0, broken: [] })
  expect(readFileSync(join(folder, 'report.checked.md'), 'utf8')).toBe(GOOD)
})

test.each([
  [1, 12, 'a former employee as a source', GOOD.replace('data sheet (public', 'talk with a former employee (internal')],
  [1, 12, 'a source of no class', GOOD.replace('(public, 2026-06)', '(2026-06)')],
  [2, 7, 'a disparaging word', GOOD.replace('plans to deliver', 'is desperate and plans to deliver')],
  [2, 7, 'a disparaging word in Chinese', GOOD.replace('plans to deliver', '劣质 and plans to deliver')],
  [3, 5, 'an absolute', GOOD.replace('came out', 'is the best and came out')],
  [
    4,
    7,
    'advice on the prices of others',
    GOOD.replace('Meridian plans', 'We should match their prices. Meridian plans'),
  ],
  [5, 5, 'an address', GOOD.replace('came out', '(ask lin@meridian.example) came out')],
  [6, 5, 'a figure without a source', GOOD.replace('34,900.[^1]', '34,900.')],
  [7, 8, 'a forecast as a fact', GOOD.replace('We estimate that this', 'This')],
])('red line %i, line %i: %s', (rule, line, _, text) => {
  const { status, broken } = check(text)
  expect(status).toBe(1)
  expect(broken.map((one) => [one.rule, one.line])).toEqual([[rule, line]])
  expect(existsSync(join(folder, 'report.checked.md'))).toBe(false)
})

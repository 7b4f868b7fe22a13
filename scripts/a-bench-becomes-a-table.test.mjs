import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repoRoot } from './run-node.mjs'

test('a bench gets a heading and a table, and the next time only new figures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-table-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const page = join(folder, 'page.md')
  writeFileSync(page, '# Numbers\n\nBefore.\n')
  /** @param {number} ours */
  const write = (ours) => {
    const rows = [
      { bench: 'loop', case: 'react-10', subject: 'tenon', value: ours, unit: 'µs' },
      { bench: 'loop', case: 'react-10', subject: 'other', value: 95.123, unit: 'µs' },
      { bench: 'loop', case: 'start', subject: 'tenon', value: 61, unit: 'ms' },
    ]
    const input = `built\n${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
    const { status, stderr } = spawnSync(process.execPath, [join(repoRoot, 'scripts', 'bench-table.mjs'), page], {
      input,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    return readFileSync(page, 'utf8').replaceAll(/ +/g, ' ')
  }
  const first = write(4.2)
  expect(first).toContain('Before.')
  expect(first).toContain('## loop')
  expect(first).toContain('| `react-10` | µs | 4.2 | 95.1 |')
  expect(first).toContain('| `start` | ms | 61 | |')
  expect(write(3.9)).toBe(first.replace('| 4.2 |', '| 3.9 |'))
})

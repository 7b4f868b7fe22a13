import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { lastWords } from './log-tail.js'

test('the last words of a program that died name its error and none of its stack', () => {
  const deep = 'const down = (n) => { if (n === 0) throw new Error("no database"); down(n - 1) }; down(30)'
  const { stderr } = spawnSync(process.execPath, ['--stack-trace-limit=30', '-e', deep], { encoding: 'utf8' })
  expect(stderr).toMatch(/^\s+at down/m)
  expect(lastWords(stderr)).toContain('Error: no database')
  expect(lastWords(stderr)).not.toMatch(/^\s+at /m)
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binPath, repoRoot, runNode } from './run-node.mjs'

// Inside the checkout, so that the tests in it find vitest.
mkdirSync(join(repoRoot, '.tenon'), { recursive: true })
const folder = mkdtempSync(join(repoRoot, '.tenon', 'tests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @param {...string} path */
const url = (...path) => pathToFileURL(join(repoRoot, ...path)).href

beforeAll(() => {
  const files = {
    'vitest.config.mjs': `
      import { TestCountsReporter } from '${url('scripts', 'test-counts-reporter.mjs')}'
      export default { test: { include: ['*.case.mjs'], reporters: ['default', new TestCountsReporter()] } }`,
    'ordinary.case.mjs': `
      import { expect, test } from 'vitest'
      test('passes', () => {})
      test('fails', () => { expect(1).toBe(2) })`,
    'needy.case.mjs': `
      import { test } from 'vitest'
      import { needs } from '${url('test-support', 'needs.ts')}'
      needs('a moon base', () => false)
      test('phones the moon', () => {})`,
    'provided.case.mjs': `
      import { test } from 'vitest'
      import { needs } from '${url('test-support', 'needs.ts')}'
      needs('a node', () => true)
      test('runs', () => {})`,
    'broken.case.mjs': 'import "./does-not-exist.mjs"',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})

/** @param {'true' | ''} CI */
async function run(CI) {
  const counts = join(folder, 'counts.json')
  const env = { ...process.env, CI, TENON_TEST_COUNTS: counts }
  const { code, stdout, stderr } = await runNode([binPath('vitest'), 'run', '--root', folder], { cwd: folder, env })
  return { code, output: stdout + stderr, counts: JSON.parse(readFileSync(counts, 'utf8')) }
}

test('what a test needs and does not find is named, and a file that cannot be loaded counts as failed', async () => {
  const { code, output, counts } = await run('')
  expect(counts).toEqual({ passed: 2, failed: 2, skipped: 1 })
  expect(output).toContain('needs a moon base')
  expect(code).toBe(1)
})

test('with CI=true what is missing fails instead of being skipped', async () => {
  const { output, counts } = await run('true')
  expect(counts).toEqual({ passed: 2, failed: 3, skipped: 0 })
  expect(output).toContain('a moon base is missing')
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playedOpenAi, SNIPPET_PART } from '../test-support/played-openai.mjs'
import { readmeSnippet } from './readme-snippet.mjs'
import { binPath, repoRoot, runNode } from './run-node.mjs'

test('the snippet of the README compiles under the strictest settings and prints the typed result', {
  timeout: 60_000,
}, async () => {
  // Inside the checkout, so that `tenon` is found as a reader who installed it finds it.
  const folder = mkdtempSync(join(repoRoot, 'node_modules', '.cache-snippet-'))
  const server = await playedOpenAi(SNIPPET_PART)
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'snippet.ts'), readmeSnippet(readFileSync(join(repoRoot, 'README.md'), 'utf8')))
    const settings = [
      '--ignoreConfig',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
    ]
    const compiled = await runNode([binPath('typescript', 'tsc'), ...settings, join(folder, 'snippet.ts')])
    expect(compiled).toMatchObject({ code: 0, stdout: '' })
    const ran = await runNode([join(folder, 'snippet.js')], { env: { ...process.env, ...server.env } })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('call-settled')
    expect(ran.stdout.trimEnd()).toMatch(/\{ amount: 270, currency: 'USD' \}$/)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

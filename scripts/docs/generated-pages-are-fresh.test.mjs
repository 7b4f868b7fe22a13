import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repoRoot } from '../run-node.mjs'
import { generatedPages } from './generated-pages.mjs'

test('pages that come from the code say what the code says', async () => {
  for (const [path, page] of await generatedPages())
    expect(readFileSync(join(repoRoot, path), 'utf8'), `${path} is stale: npm run docs`).toBe(page)
})

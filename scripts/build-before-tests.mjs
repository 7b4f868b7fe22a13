import { join } from 'node:path'
import { repoRoot, runNode } from './run-node.mjs'

/** Vitest's global setup: tests of one package use the built form of the others, which must be that of their sources. */
export async function setup() {
  const { code } = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'], { show: true })
  if (code !== 0) throw new Error('nothing was tested, since the build failed: see above')
}

// `npm run docs`: builds, then writes the pages that come from the code: configuration, errors, rules of the doctor.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot, runNode } from './run-node.mjs'

const built = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'])
if (built.code !== 0) {
  process.stdout.write(built.stdout + built.stderr)
  process.exit(built.code)
}
const { generatedPages } = await import('./docs/generated-pages.mjs')
for (const [path, page] of await generatedPages()) {
  writeFileSync(join(repoRoot, path), page)
  console.log(path)
}

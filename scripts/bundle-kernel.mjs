import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { repoRoot } from './run-node.mjs'

/** A module costs its reader half a millisecond, and the kernel has over eighty: no program shall pay that to start. */
const BUNDLED = '@tenon/kernel'

/**
 * Bundles the kernel from its sources into `dist/`: a file for each entry of its manifest, and what they share. Of its
 * code there is no other compiled form (its `tsconfig.json` has the compiler emit declarations only), so nothing can
 * import an older one, nor two copies of one class.
 *
 * @param {readonly import('./packages.mjs').Package[]} packages
 * @returns {Promise<boolean>} false when the bundle was newer than everything in it
 */
export async function bundleKernel(packages) {
  const home = packages.find((one) => one.name === BUNDLED)
  if (!home) return false
  const target = join(home.folder, 'dist')
  const entries = entriesOf(home)
  const inputs = [
    join(repoRoot, 'scripts', 'bundle-kernel.mjs'),
    join(repoRoot, 'package-lock.json'),
    join(home.folder, 'package.json'),
    ...filesIn(join(home.folder, 'src')).filter((file) => !file.endsWith('.test.ts')),
  ]
  const newest = Math.max(...inputs.map((file) => statSync(file).mtimeMs))
  const made = Object.keys(entries).map((name) => join(target, `${name}.js`))
  if (made.every((file) => existsSync(file) && statSync(file).mtimeMs > newest)) return false

  const bundle = await rolldown({ cwd: home.folder, input: entries, platform: 'neutral', logLevel: 'warn' })
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'bundle/[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  })
  await bundle.close()
  // What the compiler wrote before, and chunks of earlier bundles, would be packed.
  const current = new Set(output.map(({ fileName }) => join(target, fileName)))
  for (const file of filesIn(target)) if (file.endsWith('.js') && !current.has(file)) rmSync(file)
  return true
}

/** Sources by the names of their outputs, as `exports` has them. @param {import('./packages.mjs').Package} home */
function entriesOf(home) {
  const targets = Object.values(home.manifest.exports).map((target) => /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1])
  return Object.fromEntries(targets.flatMap((name) => (name ? [[name, `./src/${name}.ts`]] : [])))
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

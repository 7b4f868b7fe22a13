import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { repoRoot } from './run-node.mjs'

/**
 * Bundles a package from its sources into `dist/`: a file for each entry of its manifest, and what they share. A module
 * costs the program that imports it half a millisecond, and the kernel alone has over eighty.
 *
 * Only for packages whose compiler emits declarations and nothing else: then there is no other compiled form of their
 * code, so nothing can import an older one, nor two copies of one class.
 *
 * @param {import('./packages.mjs').Package} home
 * @returns {Promise<boolean>} false when the package has other ways, or the bundle was newer than everything in it
 */
export async function bundleLibrary(home) {
  const { compilerOptions } = JSON.parse(readFileSync(join(home.folder, 'tsconfig.json'), 'utf8'))
  if (!compilerOptions.emitDeclarationOnly) return false
  const target = join(home.folder, 'dist')
  const entries = entriesOf(home)
  const inputs = [
    join(repoRoot, 'scripts', 'bundle-library.mjs'),
    join(repoRoot, 'package-lock.json'),
    join(home.folder, 'package.json'),
    ...filesIn(join(home.folder, 'src')).filter((file) => !file.endsWith('.test.ts')),
  ]
  const newest = Math.max(...inputs.map((file) => statSync(file).mtimeMs))
  const made = Object.keys(entries).map((name) => join(target, `${name}.js`))
  if (made.every((file) => existsSync(file) && statSync(file).mtimeMs > newest)) return false

  const bundle = await rolldown({
    cwd: home.folder,
    input: entries,
    platform: 'node',
    // By name: whatever is not a file of the package itself.
    external: /^(?![./]|[A-Za-z]:)/,
    logLevel: 'warn',
  })
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
  const names = Object.values(home.manifest.exports).map((target) => /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1])
  return Object.fromEntries(names.flatMap((name) => (name ? [[name, `./src/${name}.ts`]] : [])))
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

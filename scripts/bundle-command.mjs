import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { repoRoot } from './run-node.mjs'

/** Not in the bundle: native code, and what is large and seldom needed. They stay dependencies of the package. */
const external = [/^node:/, '@photostructure/sqlite', 'koffi', 'node-llama-cpp', /^undici(\/|$)/]

const COMMENTS = { legal: true, annotation: true, jsdoc: false }

/**
 * Bundles the command from its compiled form into `packages/tenon/dist/bundle/`: one file for the start, chunks for
 * what is imported on demand. Start-up is mostly the finding and reading of files, so few files start fast.
 *
 * @param {readonly import('./packages.mjs').Package[]} packages
 * @returns {Promise<boolean>} false when the bundle was newer than everything in it
 */
export async function bundleCommand(packages) {
  const home = packages.find((one) => one.name === 'tenon')
  if (!home) return false
  const entry = join(home.folder, 'dist', 'bin', 'tenon.js')
  if (!existsSync(entry)) return false
  const target = join(home.folder, 'dist', 'bundle')
  const mark = join(target, 'tenon.js')
  const inputs = [join(repoRoot, 'scripts', 'bundle-command.mjs'), join(repoRoot, 'package-lock.json')]
  if (existsSync(mark) && statSync(mark).mtimeMs > newest(packages, inputs, target)) return false

  /** @type {Set<string>} */
  const required = new Set()
  const bundle = await rolldown({
    input: { tenon: entry },
    platform: 'node',
    external,
    plugins: [requireFromBundle(home, target, required), keepOwnUrls(packages), startNoPrograms],
    logLevel: 'warn',
  })
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: COMMENTS,
  })
  await bundle.close()
  const later = required.size === 0 ? [] : await bundleRequired(required, home, target)
  const parts = [...output, ...later]
  const modules = parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  writeFileSync(join(target, 'THIRD-PARTY.txt'), thirdPartyNotices(modules))
  chmodSync(mark, 0o755)
  // Old chunks go last, so that the command works while it is bundled anew.
  const made = new Set([...parts.map(({ fileName }) => fileName), 'THIRD-PARTY.txt'])
  for (const name of readdirSync(target))
    if (!made.has(name)) rmSync(join(target, name), { recursive: true, force: true })
  return true
}

/** @param {ReadonlySet<string>} required @param {import('./packages.mjs').Package} home @param {string} target */
async function bundleRequired(required, home, target) {
  const bundle = await rolldown({
    cwd: home.folder,
    input: Object.fromEntries([...required].map((name) => [fileOfRequired(name), name])),
    platform: 'node',
    external,
    logLevel: 'warn',
  })
  const { output } = await bundle.write({
    dir: target,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments: COMMENTS,
  })
  await bundle.close()
  return output
}

/**
 * What a module of the command requires when it is first needed, by the name `require`, is bundled apart, so that it stays
 * unread until then. Adds the names of those packages to `required`.
 *
 * @param {import('./packages.mjs').Package} home
 * @param {string} target
 * @param {Set<string>} required
 * @returns {import('rolldown').Plugin}
 */
function requireFromBundle(home, target, required) {
  return {
    name: 'require-from-bundle',
    transform: {
      filter: { id: /\.js$/, code: 'const require = createRequire(import.meta.url);' },
      handler(code, id) {
        if (!id.startsWith(join(home.folder, 'dist') + sep)) return null
        const there = relative(dirname(id), target).split(sep).join('/')
        const changed = code.replaceAll(/\brequire\('([a-z\d/-]+)'\)/g, (_, name) => {
          required.add(name)
          return `require('${there}/${fileOfRequired(name)}.cjs')`
        })
        return { code: changed, map: null }
      },
    },
  }
}

/** @param {string} name */
const fileOfRequired = (name) => name.replaceAll('/', '-')

/**
 * A module that looks for a file beside itself must find it from inside a bundle too, in a checkout as in an install:
 * `import.meta.url` becomes the place of the module as it was before bundling.
 *
 * @param {readonly import('./packages.mjs').Package[]} packages
 * @returns {import('rolldown').Plugin}
 */
function keepOwnUrls(packages) {
  return {
    name: 'keep-own-urls',
    transform: {
      filter: { id: /\.js$/, code: 'import.meta.url' },
      handler(code, id) {
        const home = packages.find((one) => id.startsWith(join(one.folder, 'dist') + sep))
        if (!home) return null
        const inside = relative(join(home.folder, 'dist'), id).split(sep).join('/')
        const url =
          home.name === 'tenon'
            ? `new URL('../${inside}', import.meta.url).href`
            : `new URL('./${inside}', import.meta.resolve('${home.name}')).href`
        return { code: code.replaceAll('import.meta.url', url), map: null }
      },
    },
  }
}

/**
 * Commander can start programs for commands, which none of ours asks for: its import of `node:child_process` takes longer
 * than it takes to print the version.
 *
 * @type {import('rolldown').Plugin}
 */
const startNoPrograms = {
  name: 'start-no-programs',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]commander[\\/]lib[\\/]command\.js$/ },
    handler: (code) => ({ code: code.replace("require('node:child_process')", '{}'), map: null }),
  },
}

/**
 * @param {readonly import('./packages.mjs').Package[]} packages
 * @param {readonly string[]} files
 * @param {string} except a folder that does not count
 */
function newest(packages, files, except) {
  let latest = 0
  for (const file of files) latest = Math.max(latest, statSync(file).mtimeMs)
  for (const { folder } of packages) {
    const dist = join(folder, 'dist')
    if (!existsSync(dist)) continue
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js') || entry.parentPath.startsWith(except)) continue
      latest = Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
    }
  }
  return latest
}

/** @param {readonly string[]} modules */
function thirdPartyNotices(modules) {
  const folders = new Set()
  for (const id of modules) {
    const inside = /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1]
    if (inside) folders.add(inside)
  }
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
  })
  return `The command contains code of these packages.\n\n${notices.join('\n----\n\n')}`
}

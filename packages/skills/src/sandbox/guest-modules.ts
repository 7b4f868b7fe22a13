import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { missingModule } from '../guest/missing-module.js'
import type { MappedFiles } from './mapped-files.js'

/** Ours, by the name that scripts know: where its source lies among the compiled files of `guest`. */
const BUILTIN: Readonly<Record<string, string>> = {
  fs: 'fs.js',
  'fs/promises': 'fs-promises.js',
  path: 'path.js',
  process: 'process.js',
  url: 'url.js',
}

const GUEST = 'tenon:/'
const NODE = 'node:'
export const GLOBALS = `${GUEST}globals.js`

const guestSource = (file: string): string => readFileSync(new URL(`../guest/${file}`, import.meta.url), 'utf8')

/** All that a script gets of ours, whatever it asks for. Read at once: the user that it runs as may not see the files. */
const OURS: ReadonlyMap<string, string> = new Map(
  ['globals.js', 'missing-module.js', ...Object.values(BUILTIN)].map((file) => [GUEST + file, guestSource(file)]),
)

/** The whole name of what `wanted` means in the module `from`; what can be nothing keeps its name. */
export function moduleName(from: string, wanted: string): string {
  const bare = wanted.startsWith(NODE) ? wanted.slice(NODE.length) : wanted
  if (Object.hasOwn(BUILTIN, bare)) return NODE + bare
  const ours = wanted.startsWith(GUEST) ? wanted : GUEST + posix.normalize(wanted)
  if ((wanted.startsWith(GUEST) || from.startsWith(GUEST)) && OURS.has(ours)) return ours
  if (wanted.startsWith('/')) return posix.normalize(wanted)
  if (/^\.\.?\//.test(wanted)) return posix.join(posix.dirname(from), wanted)
  if (wanted.startsWith('file:///')) return posix.normalize(decodeURIComponent(wanted.slice('file://'.length)))
  return wanted
}

/** Its source: ours, or a file of the job that is JavaScript or JSON. @throws Error that says what is there instead */
export function moduleSource(name: string, files: MappedFiles): string {
  const ours = OURS.get(name)
  if (ours !== undefined) return ours
  if (name.startsWith(NODE) && Object.hasOwn(BUILTIN, name.slice(NODE.length))) return facade(name.slice(NODE.length))
  if (!name.startsWith('/')) throw new Error(missingModule(name))
  const text = Buffer.from(files.read(name)).toString('utf8')
  return name.endsWith('.json') ? `export default ${JSON.stringify(JSON.parse(text))}` : text.replace(/^#!.*/, '')
}

/** Every export by name, and all of them as the default, as Node's own modules have it. */
function facade(bare: string): string {
  const own = JSON.stringify(GUEST + BUILTIN[bare])
  if (bare === 'process') return `export * from ${own}; export default globalThis.process`
  const more = bare === 'fs' ? `import * as promises from '${GUEST}fs-promises.js'; export { promises };` : ''
  const all = bare === 'fs' ? '{ ...own, promises }' : 'own'
  return `import * as own from ${own}; export * from ${own}; ${more} export default ${all}`
}
